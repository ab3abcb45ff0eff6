// SPDX-License-Identifier: MIT
// Dot products of two halves that are added to a sum of 32 bits or to a half: of different lanes, of a constant, uniform
// ones, negated ones and in a loop. All numbers are quarters and small, so that every result is exact in any order.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 64) in;

// OpFDot2MixAcc32VALVE and OpFDot2MixAcc16VALVE
spirv_instruction(extensions = ["SPV_VALVE_mixed_float_dot_product"], capabilities = [6912], id = 6916)
float dot32(f16vec2 x, f16vec2 y, float sum);
spirv_instruction(extensions = ["SPV_VALVE_mixed_float_dot_product"], capabilities = [6913], id = 6917)
float16_t dot16(f16vec2 x, f16vec2 y, float16_t sum);

layout(set = 0, binding = 0, std430) readonly buffer Input { uint source[128]; };
layout(set = 0, binding = 1, std430) writeonly buffer Wide { float wide[5][128]; };
layout(set = 0, binding = 2, std430) writeonly buffer Narrow { uint narrow[5][128]; };

float number(uint at, uint shift) {
  return (float(source[at & 127u] >> shift & 31u) - 16) / 4;
}

f16vec2 pair(uint at) {
  return f16vec2(number(at, 0u), number(at, 8u));
}

void put(uint row, uint i, float sum32, float16_t sum16) {
  wide[row][i] = sum32;
  narrow[row][i] = packHalf2x16(vec2(sum16, 0));
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  f16vec2 own = pair(i);
  float addend = number(i, 16u), uniform_addend = number(0u, 16u);
  put(0, i, dot32(own, pair(i + 1u), addend), dot16(own, pair(i + 1u), float16_t(addend)));
  put(1, i, dot32(own, pair(i + 2u), 0), dot16(own, pair(i + 2u), float16_t(0)));
  f16vec2 factor = -pair(i + 3u);
  float twice = dot32(own, factor, dot32(own, factor, uniform_addend));
  float16_t twice16 = dot16(own, factor, dot16(own, factor, float16_t(uniform_addend)));
  put(2, i, twice, twice16);
  float total = 0.5;
  float16_t total16 = float16_t(0.5);
  for (uint k = 0u; k < (source[i] >> 24 & 3u); ++k) {
    total = dot32(own, pair(i + k), total);
    total16 = dot16(own, pair(i + k), total16);
  }
  put(3, i, total, total16);
  f16vec2 known = f16vec2(2.5, 1);
  put(4, i, dot32(known, own, addend), dot16(own, known, float16_t(addend)));
}
