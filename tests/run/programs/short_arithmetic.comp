// SPDX-License-Identifier: MIT
// Integers of 16 bits: everything that GLSL does with them, wrapping around where 32 bits would not. Once with operands of
// each invocation, once with those that all share.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Numbers { uint16_t numbers[4 * 64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Results { uint results[3][34][64]; };

uint number;

void put(uint set, uint value) {
  results[set][number++][gl_LocalInvocationID.x] = value;
}

void calculate(uint set, uint16_t a, uint16_t b, uint16_t c) {
  int16_t x = int16_t(a), y = int16_t(b), z = int16_t(c);
  uint16_t divisor = b | uint16_t(1);
  int16_t signed_divisor = int16_t((y >> int16_t(3)) | int16_t(1));
  int16_t positive = x & int16_t(0x7fff), positive_divisor = (y & int16_t(0x7ff)) | int16_t(1);
  number = 0;
  put(set, uint(a + b));
  put(set, uint(a - b));
  put(set, uint(a * b + c));
  put(set, uint(int(x - y)));
  put(set, uint(int(x * y)));
  put(set, uint(int(-x)));
  put(set, uint(a / divisor));
  put(set, uint(a % divisor));
  put(set, uint(int(x / signed_divisor)));
  put(set, uint(int(positive % positive_divisor)));
  put(set, uint(a << (b & uint16_t(15))));
  put(set, uint(a >> (b & uint16_t(15))));
  put(set, uint(int(x >> (y & int16_t(15)))));
  put(set, uint(a << 3u));
  put(set, uint(int(x >> 5)));
  put(set, uint((a & b) ^ ~c));
  put(set, uint(a | b));
  put(set, uint(min(a, b)));
  put(set, uint(max(a, b)));
  put(set, uint(int(min(x, y))));
  put(set, uint(int(max(x, y))));
  put(set, uint(int(clamp(x, int16_t(-1000), int16_t(1000)))));
  put(set, uint(clamp(a, uint16_t(100), uint16_t(50000))));
  put(set, uint(int(abs(x))));
  put(set, uint(int(sign(x))));
  put(set, uint(a < b ? 1u : 0u) | uint(a <= b ? 2u : 0u) | uint(a == b ? 4u : 0u) | uint(a != c ? 8u : 0u) |
               uint(x < y ? 16u : 0u) | uint(x >= z ? 32u : 0u) | uint(a + b > c ? 64u : 0u));
  put(set, uint(x < y ? a : c));
  put(set, packUint2x16(u16vec2(a + c, b)));
  put(set, uint(unpackUint2x16(uint(a) * 65537u + 1u).y));
  put(set, uint(int(int16_t(uint(a) * uint(b) >> 16))));
  put(set, floatBitsToUint(float(x)));
  put(set, floatBitsToUint(float(a + b)));
  put(set, uint(uint16_t(float(a >> uint16_t(1)) * 0.5)));
  put(set, uint(int(int16_t(float(x) * -0.25))));
}

void main() {
  uint i = gl_LocalInvocationID.x;
  calculate(0, numbers[i], numbers[64 + i], numbers[128 + i]);
  calculate(1, numbers[192], numbers[193], numbers[194]);
  // Around a loop, and with a branch that depends on it.
  uint16_t sum = numbers[i];
  uint turns = 0;
  for (uint16_t n = uint16_t(0); n < (numbers[192 + i] & uint16_t(31)); ++n) {
    sum = sum * uint16_t(5) + n;
    if ((sum & uint16_t(3)) == uint16_t(0)) continue;
    ++turns;
  }
  number = 0;
  put(2, uint(sum));
  put(2, turns);
}
