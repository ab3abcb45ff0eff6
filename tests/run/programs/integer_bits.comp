// SPDX-License-Identifier: MIT
// Every integer bit function, on scalars and vectors, signed and unsigned, with shifts and fields of all widths.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[128]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint rows[][64]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint x = inputs[i];
  uint y = inputs[i + 64];
  if (i == 0) x = 0;
  if (i == 1) x = ~0u;
  if (i == 2) x = 0x80000000u;
  int sx = int(x);
  int offset = int(i & 31);
  int bits = int(y % (33u - uint(offset)));
  rows[0][i] = bitfieldExtract(x, offset, bits);
  rows[1][i] = uint(bitfieldExtract(sx, offset, bits));
  rows[2][i] = bitfieldInsert(x, y, offset, bits);
  rows[3][i] = uint(bitfieldInsert(sx, int(y), offset, bits));
  rows[4][i] = bitfieldReverse(x);
  rows[5][i] = uint(bitCount(x));
  rows[6][i] = uint(findLSB(x));
  rows[7][i] = uint(findMSB(x));
  rows[8][i] = uint(findMSB(sx));
  rows[9][i] = uint(findLSB(sx));
  uint carry, borrow, high, low;
  rows[10][i] = uaddCarry(x, y, carry);
  rows[11][i] = carry;
  rows[12][i] = usubBorrow(x, y, borrow);
  rows[13][i] = borrow;
  umulExtended(x, y, high, low);
  rows[14][i] = high;
  rows[15][i] = low;
  int signed_high, signed_low;
  imulExtended(sx, int(y), signed_high, signed_low);
  rows[16][i] = uint(signed_high);
  rows[17][i] = uint(signed_low);
  rows[18][i] = x << offset;
  rows[19][i] = x >> offset;
  rows[20][i] = uint(sx >> offset);
  rows[21][i] = (x & y) | (~x & bitfieldReverse(y));
  rows[22][i] = x ^ y;
  rows[23][i] = x * y + (x - y);
  rows[24][i] = x / (y | 1);
  rows[25][i] = x % (y | 1);
  rows[26][i] = uint(sx / int((y >> 9) | 1));
  rows[27][i] = uint(-sx);
  uvec4 v = uvec4(x, y, x + y, x ^ y);
  rows[28][i] = bitfieldReverse(v).w + uint(bitCount(v.z));
  ivec3 least = findLSB(v.xyz | 1024u);
  rows[29][i] = uint(least.x + 32 * least.y + 1024 * least.z);
  uvec2 wide_high, wide_low;
  umulExtended(v.xy, v.zw, wide_high, wide_low);
  rows[30][i] = wide_high.x ^ wide_high.y ^ wide_low.x ^ wide_low.y;
  uvec3 carries;
  uvec3 sums = uaddCarry(v.xyz, v.yzw, carries);
  rows[31][i] = sums.x + sums.y * 3 + sums.z * 5 + carries.x * 7 + carries.y * 11 + carries.z * 13;
  ivec2 fields = bitfieldExtract(ivec2(v.xy), offset / 2, 16);
  rows[32][i] = uint(fields.x - fields.y);
  rows[33][i] = uint(sx < int(y)) | uint(x < y) << 1 | uint(sx <= int(y)) << 2 | uint(x <= y) << 3 |
                uint(sx > int(y)) << 4 | uint(x > y) << 5 | uint(sx >= int(y)) << 6 | uint(x >= y) << 7 |
                uint(x == y) << 8 | uint(x != y) << 9;
}
