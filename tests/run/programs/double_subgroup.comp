// SPDX-License-Identifier: MIT
// Doubles go from one invocation to another, and are added up and compared. The numbers are whole and small: sums are exact in
// any order, and so are products of powers of two.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

double value_of(uint k) { return double(int(words[gl_WorkGroupID.x * 96u + k])) * 0.25lf; }
double power_of(uint k) { return (words[gl_WorkGroupID.x * 96u + k] & 4u) == 0u ? 0.5lf : -2.0lf; }

void main() {
  uint i = gl_LocalInvocationIndex;
  uint first = gl_SubgroupID * gl_SubgroupSize, end = min(first + gl_SubgroupSize, 96u);
  uint other = first + (words[i] >> 5u) % (end - first), cluster = i & ~3u;
  double sum = 0.0lf, before = 0.0lf, product = 1.0lf, least = 1e300lf, greatest = -1e300lf, small = 1e300lf;
  for (uint k = first; k < end; ++k) {
    double x = value_of(k);
    if (k == i) before = sum;
    sum += x;
    product *= power_of(k);
    if (k <= i) greatest = max(greatest, x);
    least = min(least, x);
    if ((k & ~3u) == cluster) small = min(small, x);
  }
  double own = value_of(i);
  uint checks = 0u;
  if (subgroupAdd(own) == sum && subgroupExclusiveAdd(own) == before) checks |= 1u;
  if (subgroupMul(power_of(i)) == product) checks |= 2u;
  if (subgroupMin(own) == least && subgroupInclusiveMax(own) == greatest && subgroupClusteredMin(own, 4u) == small) checks |= 4u;
  if (subgroupShuffle(own, other - first) == value_of(other) && subgroupShuffleXor(own, 1u) == value_of(i ^ 1u)) checks |= 8u;
  if (subgroupQuadSwapDiagonal(own) == value_of(i ^ 3u)) checks |= 16u;
  if (subgroupBroadcast(own, 2u) == value_of(first + 2u) && subgroupBroadcastFirst(own) == value_of(first)) checks |= 32u;
  if (subgroupAllEqual(sum) && !subgroupAllEqual(own)) checks |= 64u;
  dvec2 pair = subgroupAdd(dvec2(own, -own));
  if (pair == dvec2(sum, -sum)) checks |= 128u;
  results[gl_WorkGroupID.x * 96u + i] = checks;
}
