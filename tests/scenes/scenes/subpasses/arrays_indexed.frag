#version 450
#extension GL_EXT_spirv_intrinsics : require
// One of three input attachments, by the number of the draw, as an index. An instruction (OpCopyObject) brings the capability, which glslang does not ask for.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput inputs[3];
layout(push_constant) uniform Push {
  vec4 box;
  vec4 fill;
  float depth;
  uint which;
};
spirv_instruction(capabilities = [5303], id = 83) uint same(uint value);

void main() {
  target = vec4(subpassLoad(inputs[same(which)]).rgb * color.rgb, 1.0);
}
