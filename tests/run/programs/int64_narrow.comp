// SPDX-License-Identifier: MIT
// Conversions between 64-bit integers and numbers of 16 bits, which go through words, and shifts by amounts of other widths.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[64]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint64_t rows[][64]; };
layout(push_constant) uniform Push { uint64_t same; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint64_t x = inputs[i];
  uint16_t low = uint16_t(x);
  int16_t signed_low = int16_t(x);
  rows[0][i] = uint64_t(low) + (uint64_t(signed_low) << 20);
  rows[1][i] = uint64_t(int64_t(signed_low) * int64_t(x));
  uint64_t small = x >> (44 + i % 20);
  rows[2][i] = uint64_t(float16BitsToUint16(float16_t(small)));
  rows[3][i] = uint64_t(float16BitsToUint16(float16_t(int64_t(small) - 70000l)));
  float16_t number = float16_t(float(uint(x) & 0xffffu) * 0.5);
  rows[4][i] = uint64_t(number) ^ uint64_t(int64_t(-number)) << 3;
  rows[5][i] = (x << uint16_t(i)) ^ (x >> int64_t(i)) ^ uint64_t(int(x) >> uint64_t(i & 31u));
  rows[6][i] = uint64_t(low < uint16_t(same)) + uint64_t(uint16_t(same >> 16)) + uint64_t(int16_t(same));
}
