#version 450
// One of three input attachments, by the number of the draw.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput inputs[3];
layout(push_constant) uniform Push {
  vec4 box;
  vec4 fill;
  float depth;
  uint which;
};

void main() {
  vec3 texel = subpassLoad(inputs[0]).rgb;
  if (which == 1u) texel = subpassLoad(inputs[1]).rgb;
  if (which == 2u) texel = subpassLoad(inputs[2]).rgb;
  target = vec4(texel * color.rgb, 1.0);
}
