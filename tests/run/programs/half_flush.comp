// SPDX-License-Identifier: MIT
// DenormFlushToZero of 16 bits, and of 16 bits alone: operations that could pass an operand on, or fold, flush it.
#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 16);  // DenormFlushToZero
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 32);  // DenormPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 16);  // SignedZeroInfNanPreserve

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec4 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, word = words[i] & 0x87ff87ffu;  // denormal, or with the least exponent
  f16vec2 pair = unpackFloat2x16(word);
  float16_t a = pair.x, b = pair.y;
  precise float16_t once = a * float16_t(1.0), halved = a * float16_t(0.5), sum = a + b, less = a - float16_t(6.104e-5);
  float tiny = float(words[i] & 0xffffu) * 2e-9;
  float kept = uintBitsToFloat(words[i] & 0x807fffffu) * 0.5;
  results[3 * i] = uvec4(packFloat2x16(f16vec2(-a, abs(b))), packFloat2x16(f16vec2(once, halved)), packFloat2x16(f16vec2(sum, less)),
                         packFloat2x16(f16vec2(max(a, b), min(a, float16_t(1.0)))));
  results[3 * i + 1] = uvec4(floatBitsToUint(float(a)), floatBitsToUint(unpackHalf2x16(word).y), packHalf2x16(vec2(tiny, -tiny)),
                             packFloat2x16(f16vec2(float16_t(-tiny), float16_t(tiny))));
  results[3 * i + 2] = uvec4(floatBitsToUint(kept), uint(a == float16_t(0.0)), uint(a < b), word);
}
