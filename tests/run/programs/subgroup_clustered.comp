// SPDX-License-Identifier: MIT
// Reductions of clusters, whose sizes are those that the subgroup has room for. All run, and those with the same
// remainder. What is expected comes from the words of the members, one after another.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint word_of(uint i) { return words[gl_WorkGroupID.x * 96u + i]; }

uint sum_of(uint size, uint divisor, uint remainder) {
  uint start = gl_LocalInvocationIndex & ~(size - 1u), sum = 0u;
  for (uint k = start; k < min(start + size, 96u); ++k) {
    if (word_of(k) % divisor == remainder) sum += word_of(k);
  }
  return sum;
}
int least_of(uint size) {
  uint start = gl_LocalInvocationIndex & ~(size - 1u);
  int least = 0x7fffffff;
  for (uint k = start; k < min(start + size, 96u); ++k) least = min(least, int(word_of(k)));
  return least;
}
vec2 greatest_of(uint size) {
  uint start = gl_LocalInvocationIndex & ~(size - 1u);
  vec2 greatest = vec2(-1.0e30);
  for (uint k = start; k < min(start + size, 96u); ++k) greatest = max(greatest, vec2(word_of(k) >> 9u, -float(word_of(k) & 0xffffu)));
  return greatest;
}

void main() {
  uint i = gl_LocalInvocationIndex, word = word_of(i), checks = 0u;
  if (subgroupClusteredAdd(word, 1u) == sum_of(1u, 1u, 0u) && subgroupClusteredMin(int(word), 1u) == least_of(1u)) checks |= 1u;
  if (subgroupClusteredAdd(word, 2u) == sum_of(2u, 1u, 0u) && subgroupClusteredMin(int(word), 2u) == least_of(2u)) checks |= 2u;
  if (subgroupClusteredAdd(word, 4u) == sum_of(4u, 1u, 0u) && subgroupClusteredMin(int(word), 4u) == least_of(4u)) checks |= 4u;
  if (subgroupClusteredAdd(word, 8u) == sum_of(8u, 1u, 0u) && subgroupClusteredMin(int(word), 8u) == least_of(8u)) checks |= 8u;
  bool right = true;
  if (gl_SubgroupSize >= 16u) right = subgroupClusteredAdd(word, 16u) == sum_of(16u, 1u, 0u) && subgroupClusteredMin(int(word), 16u) == least_of(16u);
  if (right) checks |= 16u;
  right = true;
  if (gl_SubgroupSize >= 32u) right = subgroupClusteredAdd(word, 32u) == sum_of(32u, 1u, 0u) && subgroupClusteredMin(int(word), 32u) == least_of(32u);
  if (right) checks |= 32u;
  right = true;
  if (gl_SubgroupSize >= 64u) right = subgroupClusteredAdd(word, 64u) == sum_of(64u, 1u, 0u) && subgroupClusteredMin(int(word), 64u) == least_of(64u);
  if (right) checks |= 64u;
  vec2 value = vec2(word >> 9u, -float(word & 0xffffu));
  if (subgroupClusteredMax(value, 4u) == greatest_of(4u) && subgroupClusteredMax(value, 8u) == greatest_of(8u)) checks |= 128u;

  uint rest = word % 3u;
  if (rest == 0u) {
    right = subgroupClusteredAdd(word, 8u) == sum_of(8u, 3u, 0u);
  } else if (rest == 1u) {
    right = subgroupClusteredAdd(word, 4u) == sum_of(4u, 3u, 1u);
  } else {
    right = subgroupClusteredAdd(word, 2u) == sum_of(2u, 3u, 2u);
  }
  if (right) checks |= 256u;
  results[gl_WorkGroupID.x * 96u + i] = checks;
}
