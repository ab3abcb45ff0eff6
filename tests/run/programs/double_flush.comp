// SPDX-License-Identifier: MIT
// DenormFlushToZero of 64 bits beside DenormPreserve of 32: operations that could pass an operand on, or fold, flush it.
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 64) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 64);  // DenormFlushToZero
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 32);  // DenormPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 64);  // SignedZeroInfNanPreserve

layout(set = 0, binding = 0) readonly buffer Input { uvec2 words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec2 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec2 word = words[i], next = words[i ^ 1u];
  double a = packDouble2x32(uvec2(word.x, word.y & 0x801fffffu));  // denormal, or with the least exponent
  double b = packDouble2x32(uvec2(next.x, next.y & 0x801fffffu));
  precise double once = a * 1.0lf, halved = a * 0.5lf, sum = a + b;
  float small = uintBitsToFloat(word.x & 0x807fffffu);  // denormal
  precise float kept = small * 0.5;
  uint at = 8 * i;
  results[at] = unpackDouble2x32(-a);
  results[at + 1] = unpackDouble2x32(abs(b));
  results[at + 2] = unpackDouble2x32(once);
  results[at + 3] = unpackDouble2x32(halved);
  results[at + 4] = unpackDouble2x32(sum);
  results[at + 5] = unpackDouble2x32(max(a, b));
  results[at + 6] = uvec2(uint(a == 0.0lf), floatBitsToUint(kept));
  results[at + 7] = unpackDouble2x32(double(small)) ^ unpackDouble2x32(a);
}
