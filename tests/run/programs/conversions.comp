// SPDX-License-Identifier: MIT
// Conversions between float, int, uint and bool, scalars and vectors, and bit casts.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint words[64]; float floats[64]; };
layout(set = 0, binding = 1) writeonly buffer Integers { uint rows[8][64]; };
layout(set = 0, binding = 2) writeonly buffer Floats { float float_rows[6][64]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint u = words[i];
  float f = floats[i];
  rows[0][i] = uint(int(f));
  rows[1][i] = uint(abs(f) * 1000.0);
  rows[2][i] = uint(bool(u & 1));
  rows[3][i] = uint(bool(int(f)));
  rows[4][i] = floatBitsToUint(f);
  rows[5][i] = uint(f != 0.0) + uint(bool(f)) * 2;
  rows[6][i] = uint(int(uint(u)) >> 4);
  uvec3 three = uvec3(ivec3(vec3(f, f * 2.0, -f)));
  rows[7][i] = three.x ^ (three.y << 8) ^ (three.z << 16);
  float_rows[0][i] = float(u >> 8);
  float_rows[1][i] = float(int(u) >> 7);
  float_rows[2][i] = float(bool(u & 2));
  float_rows[3][i] = uintBitsToFloat((u & 0x007fffffu) | 0x3f800000u);
  float_rows[4][i] = intBitsToFloat(int(u & 0x007fffffu) | 0x40000000);
  float_rows[5][i] = float(u) - float(int(u)) * 0.0;
}
