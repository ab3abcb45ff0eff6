// SPDX-License-Identifier: MIT
// Partitions: the invocations with the same value, and reductions and scans within them. What each should be is computed
// from shuffles of all invocations of the subgroup; each bit of a result is one question that was answered right.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_NV_shader_subgroup_partitioned : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[192]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[192]; };

uint check(uint value, uint data) {
  uint right = 0;
  uvec4 running = subgroupBallot(true);
  uvec4 part = subgroupPartitionNV(value);
  uvec4 expected = uvec4(0);
  uint sum = 0, before = 0, through = 0, least = 0xffffffffu, most = 0;
  int ordered = 0x7fffffff;
  float total = 0;
  bool any_odd = false;
  // All invocations that run go through the loop, so that each can be asked.
  for (uint lane = 0; lane < gl_SubgroupSize; ++lane) {
    if (!subgroupBallotBitExtract(running, lane)) continue;
    uint other_value = subgroupShuffle(value, lane), other = subgroupShuffle(data, lane);
    if (other_value != value) continue;
    expected[lane >> 5] |= 1u << (lane & 31);
    sum += other;
    if (lane < gl_SubgroupInvocationID) before += other;
    if (lane <= gl_SubgroupInvocationID) through += other;
    least = min(least, other);
    most = max(most, other);
    ordered = min(ordered, int(other));
    total += float(other & 15);
    any_odd = any_odd || (other & 1) == 1;
  }
  right |= part == expected ? 1 : 0;
  right |= subgroupPartitionedAddNV(data, part) == sum ? 2 : 0;
  right |= subgroupPartitionedExclusiveAddNV(data, part) == before ? 4 : 0;
  right |= subgroupPartitionedInclusiveAddNV(data, part) == through ? 8 : 0;
  right |= subgroupPartitionedMinNV(data, part) == least ? 16 : 0;
  right |= subgroupPartitionedMaxNV(data, part) == most ? 32 : 0;
  right |= subgroupPartitionedMinNV(int(data), part) == ordered ? 64 : 0;
  right |= subgroupPartitionedAddNV(float(data & 15), part) == total ? 128 : 0;
  right |= subgroupPartitionNV(uvec2(value, 7)) == expected ? 256 : 0;
  right |= subgroupPartitionNV(float(value)) == expected ? 512 : 0;
  uvec4 odd = subgroupBallot((value & 1) == 1), even = subgroupBallot((value & 1) == 0);
  right |= subgroupPartitionNV((value & 1) == 1) == ((value & 1) == 1 ? odd : even) ? 1024 : 0;
  return right;
}

void main() {
  uint i = gl_GlobalInvocationID.x, x = inputs[i];
  uint right = check(x % 5, x >> 8);
  // Some of the invocations.
  uint left = 0x7ff;
  if ((x & 6) != 2) left = check(x % 3, x >> 16);
  // A ballot of more invocations than run.
  uvec4 everybody = subgroupBallot(true);
  if (x % 3 == 1) {
    left &= subgroupPartitionedAddNV(x, everybody) == subgroupAdd(x) ? 0x7ff : 0;
    left &= subgroupPartitionedExclusiveAddNV(x, everybody) == subgroupExclusiveAdd(x) ? 0x7ff : 0;
  }
  results[i] = right & left;
}
