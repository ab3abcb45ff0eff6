// SPDX-License-Identifier: MIT
// Angles of vectors so long that the reciprocal of a component is denormal: exponents of 2^103 to 2^127, all quadrants.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint y[128]; uint x[128]; };
layout(set = 0, binding = 1) writeonly buffer Results { float angle[128]; };

float large(uint word) { return uintBitsToFloat((word & 0x807fffffu) | (230u + (word >> 23) % 25u) << 23); }

void main() {
  uint i = gl_GlobalInvocationID.x;
  angle[i] = atan(large(y[i]), large(x[i]));
}
