// SPDX-License-Identifier: MIT
// Modes of floating-point numbers that a module asks for: denormals are kept, and nothing that has a sign, an infinity or a NaN in
// it is simplified away.
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 64) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 32);  // DenormPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);  // SignedZeroInfNanPreserve
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 32);  // RoundingModeRTE

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec4 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  float tiny = uintBitsToFloat(words[i] & 0x80ffffffu);  // denormal, or with the least exponent
  float large = uintBitsToFloat((words[i] & 0x007fffffu) | 0x3f800000u);
  float zero = uintBitsToFloat(words[i] & 0x80000000u);
  precise float half_of_it = tiny * 0.5;
  precise float sum = tiny + uintBitsToFloat(0x00000fffu);
  precise float signed_zero = zero + 0.0, kept = zero * 1.0, back = -zero;
  precise float rounded = large * 1.3333334 + 16777216.0;
  results[i] = uvec4(floatBitsToUint(half_of_it), floatBitsToUint(sum), floatBitsToUint(rounded),
                     floatBitsToUint(signed_zero) >> 31 | floatBitsToUint(kept) >> 30 & 2u | floatBitsToUint(back) >> 29 & 4u);
}
