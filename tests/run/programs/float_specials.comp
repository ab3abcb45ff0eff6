// SPDX-License-Identifier: MIT
// SignedZeroInfNanPreserve: what functions make of zeros, infinities and NaN. Modf gives fractions with the sign of its operand.
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 64) in;
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uvec4 results[]; };

// A NaN has no bits of its own.
uint bits(float x) { return isnan(x) ? 0x7fc00000u : floatBitsToUint(x); }
uint near(float x, float angle) { return uint(abs(x - angle) < 0.001); }

void main() {
  uint i = gl_GlobalInvocationID.x;
  const uint specials[] = uint[](0u, 0x3f800000u, 0x7f800000u, 0x7fc00000u, 0x40200000u, 0x3f000000u, 0x7f7fffffu, 0x40000000u);
  uint top = words[i] & 0x80000000u;
  float x = uintBitsToFloat(specials[words[i] & 7u] | top);
  float infinite = uintBitsToFloat(0x7f800000u | top), one = uintBitsToFloat(0x3f800000u | top);
  float whole;
  precise float fraction = modf(x, whole);
  precise float mixed = mix(x, 2.0, 0.5), mixed_with = mix(2.0, x, 0.5);
  float turned = atan(infinite, x), arc = atan(infinite, -abs(infinite)), narrow = atan(infinite, abs(infinite));
  float angle = top == 0u ? 1.0 : -1.0;
  results[i] = uvec4(bits(fraction), bits(whole), bits(mixed), bits(mixed_with) ^
                     (uint(isnan(tanh(x))) | uint(isnan(turned)) << 1 | uint(isnan(atan(x, one))) << 2 |
                      near(arc, angle * 2.3561945) << 3 | near(narrow, angle * 0.78539816) << 4 | uint(tanh(infinite) == angle) << 5 | uint(!isnan(sign(x))) << 6));
}
