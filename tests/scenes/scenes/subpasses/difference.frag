#version 450
// A blend that the fixed functions do not have.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput below;

void main() {
  vec3 old = subpassLoad(below).rgb;
  target = vec4(abs(old - color.rgb) + 0.2 * old * color.rgb, 1.0);
}
