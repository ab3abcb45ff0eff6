#version 450
// Where the samples of a pixel differ there is an edge.
layout(location = 0) out vec4 target;
layout(input_attachment_index = 1, binding = 0) uniform subpassInputMS lines;

void main() {
  vec4 least = vec4(1.0), most = vec4(0.0), sum = vec4(0.0);
  for (int i = 0; i < 4; ++i) {
    vec4 here = subpassLoad(lines, i);
    least = min(least, here);
    most = max(most, here);
    sum += here;
  }
  target = vec4(sum.rg * 0.25, dot(most - least, vec4(0.25)), 1.0);
}
