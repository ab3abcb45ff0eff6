// SPDX-License-Identifier: MIT
// Numbers of 8, 16 and 64 bits go from one invocation to another, and are added up and compared. Sums of halves are whole numbers of
// at most 2^11: exact in any order.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint word_of(uint i) { return words[gl_WorkGroupID.x * 96u + i]; }

uint8_t uint8_t_value(uint word) { return uint8_t(word & 255u); }
bool uint8_t_right(uint first, uint end, uint own, uint other) {
  uint8_t sum = uint8_t(0), before = sum, least = uint8_t(255), greatest = uint8_t(0);
  for (uint k = first; k < end; ++k) {
    uint8_t x = uint8_t_value(word_of(k));
    if (k == own) before = sum;
    sum += x;
    if (k <= own) greatest = max(greatest, x);
    least = min(least, x);
  }
  uint8_t value = uint8_t_value(word_of(own));
  bool right = subgroupAdd(value) == sum && subgroupExclusiveAdd(value) == before && subgroupMin(value) == least;
  right = right && subgroupInclusiveMax(value) == greatest && subgroupShuffle(value, other - first) == uint8_t_value(word_of(other));
  return right && subgroupQuadSwapDiagonal(value) == uint8_t_value(word_of(own ^ 3u));
}

int16_t int16_t_value(uint word) { return int16_t(int(word) >> 16); }
bool int16_t_right(uint first, uint end, uint own, uint other) {
  int16_t sum = int16_t(0), before = sum, least = int16_t(32767), least_before = least, greatest = int16_t(-32768);
  for (uint k = first; k < end; ++k) {
    int16_t x = int16_t_value(word_of(k));
    if (k == own) {
      before = sum;
      least_before = least;
    }
    sum += x;
    if (k <= own) greatest = max(greatest, x);
    least = min(least, x);
  }
  int16_t value = int16_t_value(word_of(own));
  bool right = subgroupAdd(value) == sum && subgroupExclusiveAdd(value) == before && subgroupMin(value) == least;
  right = right && subgroupExclusiveMin(value) == least_before;
  right = right && subgroupInclusiveMax(value) == greatest && subgroupShuffle(value, other - first) == int16_t_value(word_of(other));
  return right && subgroupQuadSwapDiagonal(value) == int16_t_value(word_of(own ^ 3u));
}

float16_t float16_t_value(uint word) { return float16_t(int(word & 31u) - 9); }
bool float16_t_right(uint first, uint end, uint own, uint other) {
  float16_t sum = float16_t(0), before = sum, least = float16_t(1000.0), greatest = float16_t(-1000.0);
  for (uint k = first; k < end; ++k) {
    float16_t x = float16_t_value(word_of(k));
    if (k == own) before = sum;
    sum += x;
    if (k <= own) greatest = max(greatest, x);
    least = min(least, x);
  }
  float16_t value = float16_t_value(word_of(own));
  bool right = subgroupAdd(value) == sum && subgroupExclusiveAdd(value) == before && subgroupMin(value) == least;
  right = right && subgroupInclusiveMax(value) == greatest && subgroupShuffle(value, other - first) == float16_t_value(word_of(other));
  return right && subgroupQuadSwapDiagonal(value) == float16_t_value(word_of(own ^ 3u));
}

int64_t int64_t_value(uint word) { return int64_t(int(word)) * int64_t(0x123456789l); }
bool int64_t_right(uint first, uint end, uint own, uint other) {
  int64_t sum = int64_t(0), before = sum, least = int64_t(0x7fffffffffffffffl), greatest = int64_t(-0x7fffffffffffffffl) - int64_t(1);
  for (uint k = first; k < end; ++k) {
    int64_t x = int64_t_value(word_of(k));
    if (k == own) before = sum;
    sum += x;
    if (k <= own) greatest = max(greatest, x);
    least = min(least, x);
  }
  int64_t value = int64_t_value(word_of(own));
  bool right = subgroupAdd(value) == sum && subgroupExclusiveAdd(value) == before && subgroupMin(value) == least;
  right = right && subgroupInclusiveMax(value) == greatest && subgroupShuffle(value, other - first) == int64_t_value(word_of(other));
  return right && subgroupQuadSwapDiagonal(value) == int64_t_value(word_of(own ^ 3u));
}

uint64_t uint64_t_value(uint word) { return uint64_t(word) * uint64_t(word) + uint64_t(word) * uint64_t(0xfffffff123456789ul); }
bool uint64_t_right(uint first, uint end, uint own, uint other) {
  uint64_t sum = uint64_t(0), before = sum, least = ~uint64_t(0), greatest = uint64_t(0);
  for (uint k = first; k < end; ++k) {
    uint64_t x = uint64_t_value(word_of(k));
    if (k == own) before = sum;
    sum += x;
    if (k <= own) greatest = max(greatest, x);
    least = min(least, x);
  }
  uint64_t value = uint64_t_value(word_of(own));
  bool right = subgroupAdd(value) == sum && subgroupExclusiveAdd(value) == before && subgroupMin(value) == least;
  right = right && subgroupInclusiveMax(value) == greatest && subgroupShuffle(value, other - first) == uint64_t_value(word_of(other));
  return right && subgroupQuadSwapDiagonal(value) == uint64_t_value(word_of(own ^ 3u));
}

void main() {
  uint i = gl_LocalInvocationIndex, word = word_of(i);
  uint first = gl_SubgroupID * gl_SubgroupSize, end = min(first + gl_SubgroupSize, 96u), other = first + (word >> 5u) % (end - first);
  uint checks = 0u;
  if (uint8_t_right(first, end, i, other)) checks |= 1u;
  if (int16_t_right(first, end, i, other)) checks |= 2u;
  if (float16_t_right(first, end, i, other)) checks |= 4u;
  if (int64_t_right(first, end, i, other)) checks |= 8u;
  if (uint64_t_right(first, end, i, other)) checks |= 16u;
  results[gl_WorkGroupID.x * 96u + i] = checks;
}
