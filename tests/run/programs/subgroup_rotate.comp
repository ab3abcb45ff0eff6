// SPDX-License-Identifier: MIT
// Rotation of a subgroup and of clusters in it beside shuffles that give the same.
#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

// OpGroupNonUniformRotateKHR of scope Subgroup (3).
spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [6026], id = 4431)
uint rotate(uint scope, uint value, uint delta);
spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [6026], id = 4431)
uint rotate_clusters(uint scope, uint value, uint delta, uint cluster);
spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [6026], id = 4431)
vec2 rotate(uint scope, vec2 value, uint delta);

void main() {
  uint word = words[gl_GlobalInvocationID.x], lane = gl_SubgroupInvocationID, delta = words[gl_WorkGroupID.x] & 31u;
  uint from = (lane + delta) & (gl_SubgroupSize - 1u), next = (lane + 1u) & (gl_SubgroupSize - 1u);
  uint checks = 0u;
  if (rotate(3u, word, delta) == subgroupShuffle(word, from)) checks |= 1u;
  if (rotate(3u, word, 1u) == subgroupShuffle(word, next)) checks |= 2u;
  if (rotate_clusters(3u, word, delta & 3u, 4u) == subgroupShuffle(word, (lane & ~3u) + ((lane + delta) & 3u))) checks |= 4u;
  if (rotate_clusters(3u, word, delta & 15u, 16u) == subgroupShuffle(word, (lane & ~15u) + ((lane + delta) & 15u))) checks |= 8u;
  vec2 pair = vec2(word >> 8, float(lane));
  if (rotate(3u, pair, delta) == subgroupShuffle(pair, from)) checks |= 16u;
  results[gl_GlobalInvocationID.x] = checks;
}
