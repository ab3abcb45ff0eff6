// SPDX-License-Identifier: MIT
// RoundingModeRTZ and DenormPreserve of 16 bits: what does not fit is lost, also of what is denormal or too large. Floats of 32 bits
// are rounded to nearest beside them. Zeros keep their signs, and there are infinities and NaN.
#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, 16);  // RoundingModeRTZ
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 16);  // DenormPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 32);  // RoundingModeRTE
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 16);  // SignedZeroInfNanPreserve

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec4 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, word = words[i], next = words[i ^ 1u];
  f16vec2 pair = unpackFloat2x16(word & 0xbfffbfffu);  // below 2, denormals among them
  float16_t a = pair.x, b = pair.y, c = unpackFloat2x16(next & 0xbfffbfffu).x;
  float wide = uintBitsToFloat((next & 0x83ffffffu) + 0x37000000u);  // down to what is denormal in 16 bits
  float large = uintBitsToFloat((word & 0x80ffffffu) | 0x47000000u);  // from 32768 to 131072
  precise float16_t sum = a + b, product = a * b, difference = float16_t(1.0) - a, fused = fma(a, b, c);
  precise float single = wide + 1.0;
  double long_one = packDouble2x32(uvec2(next, (word & 0x803fffffu) + 0x3f000000u));  // from 2^-15 to 2^-11
  float16_t zero = unpackFloat2x16(word & 0x80008000u).x, infinite = unpackFloat2x16(word & 0x80008000u | 0x7c007c00u).x;
  float16_t zeros = zero + float16_t(0.0), no_number = infinite * float16_t(0.0), negated = float16_t(0.0) - zero;
  uint halves = packFloat2x16(f16vec2(zeros, negated));
  uint facts = uint(isnan(no_number)) | (halves & 0x80008000u);
  results[2 * i] = uvec4(packFloat2x16(f16vec2(sum, product)), packFloat2x16(f16vec2(difference, fused)),
                         packFloat2x16(f16vec2(float16_t(wide), float16_t(large))),
                         packFloat2x16(f16vec2(float16_t(int(word) >> 13), float16_t(word >> 15))));
  results[2 * i + 1] = uvec4(packHalf2x16(vec2(wide, large)), floatBitsToUint(single),
                             packFloat2x16(f16vec2(float16_t(-wide), float16_t(-large))),
                             packFloat2x16(f16vec2(float16_t(long_one), float16_t(long_one * 65536.0lf))) ^ facts);
}
