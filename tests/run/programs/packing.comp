// SPDX-License-Identifier: MIT
// All packing functions, there and back.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Inputs { vec4 values[64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Packed { uint packed_rows[5][64]; };
layout(set = 0, binding = 2, std430) writeonly buffer Unpacked { vec4 unpacked_rows[4][64]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  vec4 v = values[i];  // chosen away from ties, see the manifest
  uint snorm4 = packSnorm4x8(v);
  uint unorm4 = packUnorm4x8(v);
  uint snorm2 = packSnorm2x16(v.xy);
  uint unorm2 = packUnorm2x16(v.zw);
  uint half2 = packHalf2x16(v.yz * 37.0);
  packed_rows[0][i] = snorm4;
  packed_rows[1][i] = unorm4;
  packed_rows[2][i] = snorm2;
  packed_rows[3][i] = unorm2;
  packed_rows[4][i] = half2;
  unpacked_rows[0][i] = unpackSnorm4x8(snorm4);
  unpacked_rows[1][i] = unpackUnorm4x8(unorm4);
  unpacked_rows[2][i] = vec4(unpackSnorm2x16(snorm2), unpackUnorm2x16(unorm2));
  unpacked_rows[3][i] = vec4(unpackHalf2x16(half2), unpackHalf2x16(half2 ^ 0x8000u));
}
