// SPDX-License-Identifier: MIT
// Shuffles whose lane a compiler can know to be in the own quad or the own half of a wave, or not to be there.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;

layout(binding = 0) buffer Questions { uint seed; uint answers[]; };

uint value_of(uint lane) {
  uint x = (seed + gl_SubgroupID * 128 + lane) * 0x9e3779b1u;
  return x ^ x >> 15;
}

// Lanes that do not exist are right whatever comes from there.
uint right(uint lane) {
  uint got = subgroupShuffle(value_of(gl_SubgroupInvocationID), lane);
  return lane >= gl_SubgroupSize || got == value_of(lane) ? 1 : 0;
}

void main() {
  uint lane = gl_SubgroupInvocationID, result = 0;
  result |= right(lane ^ 1) << 0;
  result |= right(lane ^ 2) << 1;
  result |= right(lane ^ 3) << 2;
  result |= right(lane ^ 4) << 3;
  result |= right(lane ^ 21) << 4;
  result |= right(lane ^ 31) << 5;
  result |= right(lane ^ 32) << 6;
  result |= right(lane ^ 63) << 7;
  result |= right((lane & 32) | 5) << 8;
  result |= right((lane & 48) | 3) << 9;
  result |= right((lane & 15) | 16) << 10;
  result |= right((lane & 31) | 32) << 11;
  result |= right(lane & 60) << 12;
  result |= right((lane & 63) ^ (lane & 31)) << 13;
  result |= right((lane | 32) ^ 32) << 14;
  result |= right(((lane ^ 32) & 33) ^ 32) << 15;
  result |= right((lane ^ lane >> 1) & 63) << 16;
  answers[gl_GlobalInvocationID.x] = result;
}
