#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_spirv_intrinsics : require
// One of three input attachments, each column by its place. An instruction (OpCopyObject) brings the capability, which glslang does not ask for.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput inputs[3];
layout(push_constant) uniform Push {
  vec4 box;
  vec4 fill;
  float depth;
  uint which;
};
spirv_instruction(capabilities = [5310], id = 83) uint same(uint value);

void main() {
  target = vec4(subpassLoad(inputs[nonuniformEXT(same(uint(gl_FragCoord.x) / 5u % 3u))]).rgb * color.rgb, 1.0);
}
