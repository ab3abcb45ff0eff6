#version 450
// Each sample has its own invocation and its own input.
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInputMS lines;

void main() {
  vec4 here = subpassLoad(lines, gl_SampleID);
  target = vec4(here.rgb * (0.55 + 0.15 * float(gl_SampleID)), here.a);
}
