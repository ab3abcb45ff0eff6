// SPDX-License-Identifier: MIT
// RoundingModeRTZ: sums, products and conversions of integers lose what does not fit.
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 64) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, 32);

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec4 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = uintBitsToFloat((words[i] & 0x80ffffffu) | 0x3f000000u), b = uintBitsToFloat((words[i] * 2654435761u & 0x807fffffu) | 0x3e000000u);
  precise float sum = a + b, product = a * b, difference = 8388609.0 - a;
  results[i] = uvec4(floatBitsToUint(sum), floatBitsToUint(product), floatBitsToUint(difference), floatBitsToUint(float(words[i])));
}
