// SPDX-License-Identifier: MIT
// Doubles become halves, rounded once, and halves doubles.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint64_t rows[][2048]; };

uint64_t bits(double x) { return isnan(x) ? 0x7ff8000000000000ul : doubleBitsToUint64(x); }
uint64_t bits(float16_t x) { return isnan(x) ? 0x7e00ul : uint64_t(uint(float16BitsToUint16(x))); }

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t raw = inputs[i];
  // Near the numbers of halves and the middles between them: 12 bits of a significand and, in some, one far below.
  uint64_t near = (raw & 0x801ffe0000000000ul) | (uint64_t(990u + uint(raw >> 10) % 50u) << 52) | (raw & 1ul) << (raw >> 2 & 31ul);
  rows[0][i] = bits(float16_t(uint64BitsToDouble(raw)));
  rows[1][i] = bits(float16_t(uint64BitsToDouble(near)));
  rows[2][i] = bits(float16_t(-abs(uint64BitsToDouble(near | 1ul))));
  rows[3][i] = bits(double(uint16BitsToFloat16(uint16_t(raw)))) ^ bits(double(-uint16BitsToFloat16(uint16_t(raw >> 16))));
  f16vec2 v = f16vec2(dvec2(double(i), double(i) * 0.3lf));
  dvec2 w = dvec2(v) * 2.0lf;
  rows[4][i] = bits(w.x) ^ bits(w.y);
}
