#version 450
// How much the inputs of a quad differ, neighbours outside of the shape included.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput tiles;

void main() {
  vec3 here = subpassLoad(tiles).rgb;
  vec3 change = abs(dFdxFine(here)) + abs(dFdyFine(here));
  target = vec4(change + 0.3 * color.rgb, 1.0);
}
