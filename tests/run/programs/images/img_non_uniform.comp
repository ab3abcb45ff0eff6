#version 450
#extension GL_EXT_nonuniform_qualifier : require
// Images, samplers and storage images that differ from lane to lane.
layout(local_size_x = 64) in;
layout(binding = 0) uniform texture2D images[4];
layout(binding = 1) uniform sampler samplers[3];
layout(binding = 2, r32ui) uniform uimage2D counters[2];
layout(binding = 3, std430) readonly buffer Choice { uint choice[]; };
layout(binding = 4, std430) writeonly buffer Result { vec4 result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint image = choice[i] & 3;
  uint state = (choice[i] >> 2) % 3;
  vec2 uv = (vec2(i & 15, i >> 4) + 0.5) / vec2(8.0) - 0.5;
  vec4 texel = textureLod(sampler2D(images[nonuniformEXT(image)], samplers[nonuniformEXT(state)]), uv, 0.0);
  uint target = (choice[i] >> 4) & 1;
  uint old = imageAtomicAdd(counters[nonuniformEXT(target)], ivec2(choice[i] % 8, choice[i] / 8 % 8), 1u);
  result[i] = texel + vec4(textureSize(sampler2D(images[nonuniformEXT(image)], samplers[0]), 0), 0, 0);
}
