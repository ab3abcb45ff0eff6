// SPDX-License-Identifier: MIT
// Subgroups without operations between their invocations: ids and sizes fit each other, and the elected invocation is the lowest
// that runs, where all do, in a branch, and in a loop that invocations leave in different turns. No result depends on the size.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_device_group : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

shared uint elected, lowest[96], turns[96], most_turns[96], exchanged[96];

void main() {
  uint i = gl_LocalInvocationIndex, at = gl_WorkGroupID.x * 96u + i, word = words[at];
  uint group = gl_SubgroupID, lane = gl_SubgroupInvocationID;
  if (i == 0u) elected = 0u;
  lowest[i] = 0xffffffffu;
  turns[i] = most_turns[i] = 0u;
  barrier();

  uint checks = 0u;
  if (group * gl_SubgroupSize + lane == i && lane < gl_SubgroupSize && group < gl_NumSubgroups) checks |= 1u;
  if (gl_NumSubgroups == (96u + gl_SubgroupSize - 1u) / gl_SubgroupSize) checks |= 2u;

  bool first_of_all = subgroupElect();
  if (first_of_all) atomicAdd(elected, 1u);
  if (first_of_all == (lane == 0u)) checks |= 4u;

  bool first_of_branch = false;
  if (word % 3u == 1u) {
    atomicMin(lowest[group], lane);
    first_of_branch = subgroupElect();
  }
  atomicMax(most_turns[group], word % 7u);
  for (uint k = 0u; k < word % 7u; ++k) {
    if (subgroupElect()) atomicAdd(turns[group], 1u);
  }
  exchanged[i] = word;
  subgroupMemoryBarrierShared();
  subgroupBarrier();
  // The neighbour is in the same subgroup, or the invocation itself.
  uint neighbour = lane + 1u < gl_SubgroupSize && i + 1u < 96u ? i + 1u : i;
  if (exchanged[neighbour] == words[gl_WorkGroupID.x * 96u + neighbour]) checks |= 8u;
  barrier();

  if (elected == gl_NumSubgroups) checks |= 16u;
  if (first_of_branch == (word % 3u == 1u && lowest[group] == lane)) checks |= 32u;
  if (turns[group] == most_turns[group] && gl_DeviceIndex == 0) checks |= 64u;
  results[at] = checks;
}
