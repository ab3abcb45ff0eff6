// SPDX-License-Identifier: MIT
// 64-bit integers that no multiplication needs: sums, logic, shifts, comparisons, selects, conversions, in per-lane values,
// and in uniform ones, which come from push constants and go through a loop.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[128]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint64_t rows[][64]; };
layout(push_constant) uniform Push { int64_t base; uint64_t mask; u64vec2 pair; uint rounds; };

uint64_t order(uint64_t a, uint64_t b) {
  int64_t x = int64_t(a), y = int64_t(b);
  uint bits = uint(a < b) | uint(a <= b) << 1 | uint(a > b) << 2 | uint(a >= b) << 3 | uint(a == b) << 4 |
              uint(a != b) << 5 | uint(x < y) << 6 | uint(x <= y) << 7 | uint(x > y) << 8 | uint(x >= y) << 9;
  return uint64_t(bits);
}

void main() {
  uint i = gl_LocalInvocationID.x;
  uint64_t x = inputs[i], y = inputs[i + 64];
  if (i < 8) y = x;
  if (i >= 8 && i < 16) y = x + 1;
  if (i >= 16 && i < 24) y = x ^ 0x8000000000000000ul;
  int64_t sx = int64_t(x), sy = int64_t(y);
  uint by = i;
  rows[0][i] = x + y;
  rows[1][i] = x - y;
  rows[2][i] = (x & y) | (~x & 0x123456789abcdef0ul);
  rows[3][i] = x ^ ~y;
  rows[4][i] = x << by;
  rows[5][i] = x >> by;
  rows[6][i] = uint64_t(sx >> by);
  rows[7][i] = (x << 40) + (y >> 33) + uint64_t(sx >> 52) + (x << 7) + uint64_t(sy >> 9) + (y >> 32) + (x << 32);
  rows[8][i] = order(x, y);
  rows[9][i] = order(x, 0x100000000ul) | order(x, 5ul) << 10 | order(7ul, y) << 20;
  rows[10][i] = x < y ? x : y ^ 3ul;
  rows[11][i] = uint64_t(-sx) + uint64_t(abs(sy)) + uint64_t(sign(sx));
  rows[12][i] = min(x, y) ^ max(x, 77ul);
  rows[13][i] = uint64_t(min(sx, sy)) ^ uint64_t(max(sx, -3l)) ^ uint64_t(clamp(sy, -1000l, 1000l));
  rows[14][i] = uint64_t(uint(x)) + uint64_t(int64_t(int(y))) + uint64_t(uint(x >> 32)) + uint64_t(sx < sy);
  rows[15][i] = packUint2x32(unpackUint2x32(x).yx) + uint64_t(unpackInt2x32(sy).x);
  u64vec3 v = u64vec3(x, y, x + y) + u64vec3(1, 2, 3);
  bvec3 less = lessThan(v, v.yzx);
  v = mix(v, v.zxy, less);
  rows[16][i] = v.x ^ (v.y << 1) ^ (v.z << 2);
  rows[17][i] = uint64_t(x != 0ul) + uint64_t(bool(y)) + uint64_t(i & 1u);
  rows[18][i] = x + mask + uint64_t(base);
  rows[19][i] = uint64_t(base < sx) | order(x, mask) << 1;

  // Uniform from here on.
  uint64_t state = mask;
  int64_t sum = base;
  for (uint r = 0; r < rounds; ++r) {
    state = (state << 13) ^ (state >> 7) ^ (state + pair.x);
    if (int64_t(state) < sum) sum -= int64_t(state >> 3); else sum += int64_t(pair.y);
    if (state > pair.y) state = ~state;
    if (state <= pair.x || sum >= 12345678901l) state += 0x1234567ul << (r & 31);
    if ((state & 0xff00000000ul) == 0ul) state ^= mask;
  }
  rows[20][i] = state;
  rows[21][i] = uint64_t(sum);
  rows[22][i] = order(state, uint64_t(sum)) + order(mask, pair.x) + uint64_t(sum >> 5) + (pair.y << 45);
  rows[23][i] = uint64_t(min(sum, base)) ^ max(state, mask) ^ uint64_t(uint(state)) ^ uint64_t(int64_t(int(sum)));

  // Divergent loop.
  uint64_t walk = x;
  uint64_t steps = 0;
  while (walk != 0ul && steps < 70ul) {
    walk &= walk - 1ul;
    steps += 1ul;
  }
  rows[24][i] = steps;
}
