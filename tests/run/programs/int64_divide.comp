// SPDX-License-Identifier: MIT
// Products, quotients and remainders of 64-bit integers, of all sizes, by constants, uniform ones, and conversions from
// and to floats.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint64_t rows[][512]; };
layout(push_constant) uniform Push { uint64_t divisor; int64_t signed_divisor; uint64_t dividend; };

// A number with few or many leading zeros, some of them all ones or a power of two.
uint64_t sized(uint64_t bits, uint kind) {
  uint64_t x = bits >> (kind & 63);
  if ((kind & 0x1c0) == 0x40) x = ~0ul >> (kind & 63);
  if ((kind & 0x1c0) == 0x80) x = 1ul << (kind & 63);
  if ((kind & 0x1c0) == 0xc0) x = (1ul << (kind & 63)) + 1ul;
  return x;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t x = sized(inputs[2 * i], uint(inputs[2 * i + 1]));
  uint64_t y = sized(inputs[2 * i + 1], uint(inputs[2 * i] >> 20));
  if (y == 0ul) y = 0xfffffffffffffffful;
  int64_t sx = int64_t(x), sy = int64_t(y);
  if (sx == -0x7fffffffffffffffl - 1l && sy == -1l) sy = 3l;
  rows[0][i] = x * y;
  rows[1][i] = x / y;
  rows[2][i] = x % y;
  rows[3][i] = uint64_t(sx / sy);
  rows[4][i] = x * 10ul + y * 0x100000001ul + x * uint64_t(uint(y));
  rows[5][i] = x / 10ul + y % 1000000007ul;
  rows[6][i] = x / 0xfffffffffffffffeul + x / 6148914691236517206ul + x % 0x8000000000000001ul;
  rows[7][i] = uint64_t(sx / 7l) + uint64_t(sx / -1000000007l) + uint64_t(sy / 16l);
  rows[8][i] = x / divisor + x % divisor + uint64_t(sx / signed_divisor);
  rows[9][i] = dividend / divisor + dividend % divisor + uint64_t(int64_t(dividend) / signed_divisor) + dividend * divisor;
  rows[10][i] = uint64_t(floatBitsToUint(float(x)));
  rows[11][i] = uint64_t(floatBitsToUint(float(sx)));
  float f = float(uint(x)) * float(uint(y >> 33)) * 0.5;
  rows[12][i] = uint64_t(f) + uint64_t(int64_t(-f * 0.25));
  rows[13][i] = uint64_t(floatBitsToUint(float(dividend) + float(signed_divisor)));
  rows[14][i] = uint64_t(int64_t(x & 0xfffffffful) * int64_t(int(y)));
}
