// SPDX-License-Identifier: MIT
// The older operations of SPV_KHR_shader_ballot and SPV_KHR_subgroup_vote beside those of SPIR-V 1.3, which they must equal, also
// in a branch.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_shader_group_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint compare(uint word) {
  uint checks = 0u;
  bool odd = (word & 1u) != 0u;
  uvec4 members = subgroupBallot(odd);
  if (unpackUint2x32(ballotARB(odd)) == members.xy) checks |= 1u;
  if (readFirstInvocationARB(word) == subgroupBroadcastFirst(word)) checks |= 2u;
  uint last = subgroupBallotFindMSB(subgroupBallot(true));
  if (readInvocationARB(word, last) == subgroupBroadcast(word, last)) checks |= 4u;
  if (anyInvocationARB(word % 29u == 3u) == subgroupAny(word % 29u == 3u)) checks |= 8u;
  if (allInvocationsARB(word % 29u != 3u) == subgroupAll(word % 29u != 3u)) checks |= 16u;
  if (allInvocationsEqualARB(odd) == (subgroupAll(odd) || !subgroupAny(odd))) checks |= 32u;
  if (gl_SubGroupSizeARB == gl_SubgroupSize && gl_SubGroupInvocationARB == gl_SubgroupInvocationID) checks |= 64u;
  if (unpackUint2x32(gl_SubGroupLtMaskARB) == gl_SubgroupLtMask.xy && unpackUint2x32(gl_SubGroupGeMaskARB) == gl_SubgroupGeMask.xy)
    checks |= 128u;
  return checks;
}

void main() {
  uint i = gl_GlobalInvocationID.x, word = words[i];
  uint all = compare(word);
  results[2u * i] = all;
  results[2u * i + 1u] = 0u;
  if (word % 3u == 1u) results[2u * i + 1u] = compare(word);
}
