// SPDX-License-Identifier: MIT
// Reductions and scans with each operation: where all invocations of a subgroup run, in a branch, and in a loop that they leave in different
// turns; clusters have a program of their own. What is expected comes from the words of the members, one after another. Sums of floats are whole numbers below
// 2^24, products powers of two: exact in any order.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint word_of(uint i) { return words[gl_WorkGroupID.x * 96u + i]; }

// Members are those from `first` on, before `end`, whose words have this remainder.

uint add_uint_value(uint word) { return word; }
bool add_uint_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  uint total = 0u, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    uint x = add_uint_value(word_of(k));
    if (k == own) before = acc;
    acc = acc + x;
    if (k == own) with_own = acc;
  }
  total = acc;
  uint value = add_uint_value(word_of(own));
  return subgroupAdd(value) == total && subgroupInclusiveAdd(value) == with_own && subgroupExclusiveAdd(value) == before;
}

uint mul_uint_value(uint word) { return (word | 1u); }
bool mul_uint_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  uint total = 1u, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    uint x = mul_uint_value(word_of(k));
    if (k == own) before = acc;
    acc = acc * x;
    if (k == own) with_own = acc;
  }
  total = acc;
  uint value = mul_uint_value(word_of(own));
  return subgroupMul(value) == total && subgroupInclusiveMul(value) == with_own && subgroupExclusiveMul(value) == before;
}

uint min_uint_value(uint word) { return word; }
bool min_uint_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  uint total = 0xffffffffu, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    uint x = min_uint_value(word_of(k));
    if (k == own) before = acc;
    acc = min(acc, x);
    if (k == own) with_own = acc;
  }
  total = acc;
  uint value = min_uint_value(word_of(own));
  return subgroupMin(value) == total && subgroupInclusiveMin(value) == with_own && subgroupExclusiveMin(value) == before;
}

uint max_uint_value(uint word) { return word; }
bool max_uint_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  uint total = 0u, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    uint x = max_uint_value(word_of(k));
    if (k == own) before = acc;
    acc = max(acc, x);
    if (k == own) with_own = acc;
  }
  total = acc;
  uint value = max_uint_value(word_of(own));
  return subgroupMax(value) == total && subgroupInclusiveMax(value) == with_own && subgroupExclusiveMax(value) == before;
}

uint and_uint_value(uint word) { return word; }
bool and_uint_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  uint total = 0xffffffffu, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    uint x = and_uint_value(word_of(k));
    if (k == own) before = acc;
    acc = acc & x;
    if (k == own) with_own = acc;
  }
  total = acc;
  uint value = and_uint_value(word_of(own));
  return subgroupAnd(value) == total && subgroupInclusiveAnd(value) == with_own && subgroupExclusiveAnd(value) == before;
}

uint or_uint_value(uint word) { return word; }
bool or_uint_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  uint total = 0u, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    uint x = or_uint_value(word_of(k));
    if (k == own) before = acc;
    acc = acc | x;
    if (k == own) with_own = acc;
  }
  total = acc;
  uint value = or_uint_value(word_of(own));
  return subgroupOr(value) == total && subgroupInclusiveOr(value) == with_own && subgroupExclusiveOr(value) == before;
}

uint xor_uint_value(uint word) { return word; }
bool xor_uint_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  uint total = 0u, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    uint x = xor_uint_value(word_of(k));
    if (k == own) before = acc;
    acc = acc ^ x;
    if (k == own) with_own = acc;
  }
  total = acc;
  uint value = xor_uint_value(word_of(own));
  return subgroupXor(value) == total && subgroupInclusiveXor(value) == with_own && subgroupExclusiveXor(value) == before;
}

int min_int_value(uint word) { return int(word); }
bool min_int_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  int total = 0x7fffffff, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    int x = min_int_value(word_of(k));
    if (k == own) before = acc;
    acc = min(acc, x);
    if (k == own) with_own = acc;
  }
  total = acc;
  int value = min_int_value(word_of(own));
  return subgroupMin(value) == total && subgroupInclusiveMin(value) == with_own && subgroupExclusiveMin(value) == before;
}

int max_int_value(uint word) { return int(word); }
bool max_int_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  int total = int(0x80000000), before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    int x = max_int_value(word_of(k));
    if (k == own) before = acc;
    acc = max(acc, x);
    if (k == own) with_own = acc;
  }
  total = acc;
  int value = max_int_value(word_of(own));
  return subgroupMax(value) == total && subgroupInclusiveMax(value) == with_own && subgroupExclusiveMax(value) == before;
}

float add_float_value(uint word) { return float(int(word & 0xffffu) - 30000); }
bool add_float_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  float total = 0.0, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    float x = add_float_value(word_of(k));
    if (k == own) before = acc;
    acc = acc + x;
    if (k == own) with_own = acc;
  }
  total = acc;
  float value = add_float_value(word_of(own));
  return subgroupAdd(value) == total && subgroupInclusiveAdd(value) == with_own && subgroupExclusiveAdd(value) == before;
}

float mul_float_value(uint word) { return ((word >> 3u & 1u) != 0u ? 2.0 : 1.0) * ((word & 1u) != 0u ? -1.0 : 1.0); }
bool mul_float_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  float total = 1.0, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    float x = mul_float_value(word_of(k));
    if (k == own) before = acc;
    acc = acc * x;
    if (k == own) with_own = acc;
  }
  total = acc;
  float value = mul_float_value(word_of(own));
  return subgroupMul(value) == total && subgroupInclusiveMul(value) == with_own && subgroupExclusiveMul(value) == before;
}

float min_float_value(uint word) { return float(int(word) >> 12); }
bool min_float_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  float total = uintBitsToFloat(0x7f800000u), before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    float x = min_float_value(word_of(k));
    if (k == own) before = acc;
    acc = min(acc, x);
    if (k == own) with_own = acc;
  }
  total = acc;
  float value = min_float_value(word_of(own));
  return subgroupMin(value) == total && subgroupInclusiveMin(value) == with_own && subgroupExclusiveMin(value) == before;
}

float max_float_value(uint word) { return float(int(word) >> 12); }
bool max_float_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  float total = uintBitsToFloat(0xff800000u), before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    float x = max_float_value(word_of(k));
    if (k == own) before = acc;
    acc = max(acc, x);
    if (k == own) with_own = acc;
  }
  total = acc;
  float value = max_float_value(word_of(own));
  return subgroupMax(value) == total && subgroupInclusiveMax(value) == with_own && subgroupExclusiveMax(value) == before;
}

bool and_bool_value(uint word) { return (word & 4u) != 0u; }
bool and_bool_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  bool total = true, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    bool x = and_bool_value(word_of(k));
    if (k == own) before = acc;
    acc = acc && x;
    if (k == own) with_own = acc;
  }
  total = acc;
  bool value = and_bool_value(word_of(own));
  return subgroupAnd(value) == total && subgroupInclusiveAnd(value) == with_own && subgroupExclusiveAnd(value) == before;
}

bool or_bool_value(uint word) { return (word & 4u) != 0u; }
bool or_bool_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  bool total = false, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    bool x = or_bool_value(word_of(k));
    if (k == own) before = acc;
    acc = acc || x;
    if (k == own) with_own = acc;
  }
  total = acc;
  bool value = or_bool_value(word_of(own));
  return subgroupOr(value) == total && subgroupInclusiveOr(value) == with_own && subgroupExclusiveOr(value) == before;
}

bool xor_bool_value(uint word) { return (word & 4u) != 0u; }
bool xor_bool_right(uint first, uint end, uint own, uint divisor, uint remainder) {
  bool total = false, before = total, with_own = total, acc = total;
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % divisor != remainder) continue;
    bool x = xor_bool_value(word_of(k));
    if (k == own) before = acc;
    acc = acc != x;
    if (k == own) with_own = acc;
  }
  total = acc;
  bool value = xor_bool_value(word_of(own));
  return subgroupXor(value) == total && subgroupInclusiveXor(value) == with_own && subgroupExclusiveXor(value) == before;
}

void main() {
  uint i = gl_LocalInvocationIndex, word = word_of(i);
  uint first = gl_SubgroupID * gl_SubgroupSize, end = min(first + gl_SubgroupSize, 96u);
  uint checks = 0u;
  if (add_uint_right(first, end, i, 1u, 0u)) checks |= 1u;
  if (mul_uint_right(first, end, i, 1u, 0u)) checks |= 2u;
  if (min_uint_right(first, end, i, 1u, 0u)) checks |= 4u;
  if (max_uint_right(first, end, i, 1u, 0u)) checks |= 8u;
  if (and_uint_right(first, end, i, 1u, 0u)) checks |= 16u;
  if (or_uint_right(first, end, i, 1u, 0u)) checks |= 32u;
  if (xor_uint_right(first, end, i, 1u, 0u)) checks |= 64u;
  if (min_int_right(first, end, i, 1u, 0u)) checks |= 128u;
  if (max_int_right(first, end, i, 1u, 0u)) checks |= 256u;
  if (add_float_right(first, end, i, 1u, 0u)) checks |= 512u;
  if (mul_float_right(first, end, i, 1u, 0u)) checks |= 1024u;
  if (min_float_right(first, end, i, 1u, 0u)) checks |= 2048u;
  if (max_float_right(first, end, i, 1u, 0u)) checks |= 4096u;
  if (and_bool_right(first, end, i, 1u, 0u)) checks |= 8192u;
  if (or_bool_right(first, end, i, 1u, 0u)) checks |= 16384u;
  if (xor_bool_right(first, end, i, 1u, 0u)) checks |= 32768u;

  uint rest = word % 3u;
  bool right = false;
  if (rest == 0u) {
    right = add_uint_right(first, end, i, 3u, 0u) && max_float_right(first, end, i, 3u, 0u);
  } else if (rest == 1u) {
    right = min_int_right(first, end, i, 3u, 1u) && xor_bool_right(first, end, i, 3u, 1u);
  } else {
    right = mul_uint_right(first, end, i, 3u, 2u) && add_float_right(first, end, i, 3u, 2u);
  }
  if (right) checks |= 0x10000u;

  // One invocation at a time, and each turn fewer: those with the turn's remainder have left before.
  right = true;
  for (uint turn = 0u; turn < 1u + word % 5u; ++turn) {
    uint total = 0u, before = 0u;
    for (uint k = first; k < end; ++k) {
      if (turn >= 1u + word_of(k) % 5u) continue;
      if (k < i) before += word_of(k) >> turn;
      total += word_of(k) >> turn;
    }
    right = right && subgroupAdd(word >> turn) == total && subgroupExclusiveAdd(word >> turn) == before;
  }
  if (right) checks |= 0x20000u;
  // One for all, and a vector.
  uvec3 sums = subgroupAdd(uvec3(1u, word & 1u, gl_WorkGroupID.x + 7u));
  uint odd = 0u;
  for (uint k = first; k < end; ++k) odd += word_of(k) & 1u;
  if (sums == uvec3(end - first, odd, (gl_WorkGroupID.x + 7u) * (end - first))) checks |= 0x40000u;
  results[gl_WorkGroupID.x * 96u + i] = checks;
}
