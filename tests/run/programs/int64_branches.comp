// SPDX-License-Identifier: MIT
// Branches on comparisons of 64-bit integers, uniform and per lane, also uniform ones inside of divergent ones, around stores
// and loops that stay branches.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[64]; };
layout(set = 0, binding = 1) buffer Results { uint64_t rows[][64]; };
layout(push_constant) uniform Push { uint64_t a; uint64_t b; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint64_t x = inputs[i];
  int64_t sa = int64_t(a), sb = int64_t(b);
  if (a < b) rows[0][i] = 1ul; else rows[1][i] = x;
  if (a <= b) rows[2][i] = 2ul; else rows[3][i] = x;
  if (a > b) rows[4][i] = 3ul; else rows[5][i] = x;
  if (a >= b) rows[6][i] = 4ul; else rows[7][i] = x;
  if (sa < sb) rows[8][i] = 5ul; else rows[9][i] = x;
  if (sa <= sb) rows[10][i] = 6ul; else rows[11][i] = x;
  if (sa > sb) rows[12][i] = 7ul; else rows[13][i] = x;
  if (sa >= -4294967296l) rows[14][i] = 8ul; else rows[15][i] = x;
  if (a == b) rows[16][i] = 9ul; else rows[17][i] = x;
  if (a != 0x100000000ul) rows[18][i] = 10ul; else rows[19][i] = x;
  if (x < a) {
    if (sa >= sb) rows[20][i] = 11ul; else rows[21][i] = x;
  } else if (sb > int64_t(x)) {
    if (a <= b) rows[22][i] = 12ul; else rows[23][i] = x;
  }
  uint64_t sum = 0ul;
  for (uint64_t k = a; k <= a + 5ul; ++k) {
    if (k >= b) break;
    sum += k ^ x;
  }
  for (int64_t k = sb; k >= sb - 3l && k > sa; --k) sum = sum * 3ul + uint64_t(k);
  for (uint64_t k = x; k > 0x10000ul; k >>= 9) sum ^= k;
  rows[24][i] = sum;
}
