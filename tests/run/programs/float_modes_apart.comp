// SPDX-License-Identifier: MIT
// Floats of 32 bits are flushed and cut, those of 16 and 64 bits, which have their modes together, kept and rounded to nearest, in
// one shader; nothing that has a sign, an infinity or a NaN in it is simplified away where 64 bits are concerned.
#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, 32);  // RoundingModeRTZ
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 16);  // RoundingModeRTE
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 32);  // DenormFlushToZero
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 64);  // DenormPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 64);  // SignedZeroInfNanPreserve

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec4 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, word = words[i];
  f16vec2 pair = unpackFloat2x16(word & 0xbfffbfffu);
  float16_t sum = pair.x + pair.y, product = pair.x * pair.y;
  double wide = packDouble2x32(uvec2(word * 2654435761u, (word & 0x800fffffu) | 0x3ff00000u));
  double wide_sum = wide + 0.1lf, wide_product = wide * 0.7lf;
  double tiny = packDouble2x32(uvec2(word, word & 0x800fffffu)) * 0.5lf;  // denormal
  float from_wide = float(wide), small = float(wide * 1e-40lf), from_half = float(pair.x);
  double wide_zero = packDouble2x32(uvec2(0u, word & 0x80000000u)), wide_infinite = 1.0lf / wide_zero;
  double wide_zeros = wide_zero + 0.0lf, wide_nan = wide_infinite * 0.0lf, wide_negated = 0.0lf - wide_zero;
  uint facts = uint(isnan(wide_nan)) | unpackDouble2x32(wide_zeros).y | unpackDouble2x32(wide_negated).y;
  uvec2 first = unpackDouble2x32(wide_sum), second = unpackDouble2x32(wide_product), third = unpackDouble2x32(tiny);
  results[3 * i] = uvec4(packFloat2x16(f16vec2(sum, product)), packFloat2x16(f16vec2(float16_t(from_wide), float16_t(wide))), first);
  results[3 * i + 1] = uvec4(second, third);
  results[3 * i + 2] = uvec4(floatBitsToUint(from_wide), floatBitsToUint(small), floatBitsToUint(from_half), facts);
}
