// SPDX-License-Identifier: MIT
// xoshiro128** (Blackman and Vigna): seeds by a hash, jumps, and a dice histogram from each stream.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer States { uvec4 states[]; };
layout(set = 0, binding = 1) buffer Faces { uint faces[]; };

uint rotl(uint x, int k) { return (x << k) | (x >> (32 - k)); }

uint next(inout uvec4 s) {
  uint result = rotl(s.y * 5, 7) * 9;
  uint t = s.y << 9;
  s.z ^= s.x;
  s.w ^= s.y;
  s.y ^= s.z;
  s.x ^= s.w;
  s.z ^= t;
  s.w = rotl(s.w, 11);
  return result;
}

const uint kJump[4] = uint[](0x8764000bu, 0xf542d2d3u, 0x6fa035c3u, 0x77f2db5bu);

uvec4 jump(uvec4 s) {
  uvec4 sum = uvec4(0);
  for (int i = 0; i < 4; ++i) {
    for (int bit = 0; bit < 32; ++bit) {
      if ((kJump[i] & (1u << bit)) != 0) sum ^= s;
      next(s);
    }
  }
  return sum;
}

// An unbiased number below `bound`: rejects the few values that would favour small results.
uint below(inout uvec4 s, uint bound) {
  uint high, low;
  umulExtended(next(s), bound, high, low);
  if (low < bound) {
    uint threshold = (-bound) % bound;
    while (low < threshold) umulExtended(next(s), bound, high, low);
  }
  return high;
}

void main() {
  uint index = gl_GlobalInvocationID.x;
  uvec4 s = states[index];
  if ((index & 1) == 1) s = jump(s);
  uint count[6] = uint[](0, 0, 0, 0, 0, 0);
  for (int i = 0; i < 60; ++i) count[below(s, 6)]++;
  for (uint face = 0; face < 6; ++face) faces[index * 6 + face] = count[face];
  states[index] = s;
}
