// SPDX-License-Identifier: MIT
// RoundingModeRTZ of 64 bits beside RoundingModeRTE of 32: what converts to a width rounds as that width does.
#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, 64);  // RoundingModeRTZ
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 32);  // RoundingModeRTE
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 64);  // DenormPreserve

layout(set = 0, binding = 0) readonly buffer Input { uvec2 words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec2 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec2 word = words[i], next = words[i ^ 1u];
  double a = packDouble2x32(uvec2(word.x, (word.y & 0x800fffffu) | 0x3ff00000u));  // from 1 to 2, and negative
  double b = packDouble2x32(uvec2(next.x, (next.y & 0x800fffffu) | 0x3e900000u));  // 2^-22 of that
  double short_a = packDouble2x32(uvec2(word.x & 0xf8000000u, (word.y & 0x800fffffu) | 0x3ff00000u));  // 26 bits
  double short_b = packDouble2x32(uvec2(next.x & 0xf8000000u, (next.y & 0x800fffffu) | 0x3fd00000u));
  precise double sum = a + b, product = a * b, difference = b - a, fused = fma(short_a, short_b, a);
  precise double least = packDouble2x32(uvec2(0u, 0x00300000u)) * a, tiny = least * 0.001953125lf;  // 2^-1029 times a: denormal
  uint64_t whole = packUint2x32(word);
  uint at = 8 * i;
  results[at] = unpackDouble2x32(sum);
  results[at + 1] = unpackDouble2x32(product);
  results[at + 2] = unpackDouble2x32(difference);
  results[at + 3] = unpackDouble2x32(fused);
  results[at + 4] = unpackDouble2x32(tiny);
  results[at + 5] = unpackDouble2x32(double(whole));
  results[at + 6] = unpackDouble2x32(double(int64_t(whole)));
  results[at + 7] = uvec2(floatBitsToUint(float(a)), floatBitsToUint(float(b)));
}
