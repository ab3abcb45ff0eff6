// SPDX-License-Identifier: MIT
// Pixels of four 16-bit floats, blended, and halves of words put together: what compilers do in register halves.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Pixels { uvec2 source[64]; uvec2 target[64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Words { uvec2 blended[64]; uint words[10][64]; };
layout(set = 0, binding = 2, std430) writeonly buffer Floats { float floats[8][64]; };

vec4 unpack_pixel(uvec2 pixel) {
  return vec4(unpackHalf2x16(pixel.x), unpackHalf2x16(pixel.y));
}

void main() {
  uint i = gl_LocalInvocationID.x;
  uvec2 a = source[i], b = target[i];
  vec4 s = unpack_pixel(a), t = unpack_pixel(b);
  vec4 mixed = s + t * (1.0 - s.a);
  blended[i] = uvec2(packHalf2x16(mixed.rg), packHalf2x16(vec2(-mixed.b, abs(mixed.a))));

  // Each half for one user.
  floats[0][i] = unpackHalf2x16(a.x ^ 0x80000000u).y * unpackHalf2x16(b.x ^ 0x8000u).x;
  floats[1][i] = unpackHalf2x16(a.x ^ 1u).x + unpackHalf2x16(b.x ^ 0x10000u).y;
  floats[2][i] = abs(unpackHalf2x16(a.y ^ 0x10000u).y) - unpackHalf2x16(b.y ^ 1u).x;
  floats[3][i] = unpackHalf2x16(a.y ^ 2u).x - abs(unpackHalf2x16(b.y ^ 0x20000u).y);
  floats[4][i] = fma(-unpackHalf2x16(a.x ^ 0x40000u).y, unpackHalf2x16(b.y ^ 4u).x, 0.5);
  floats[5][i] = clamp(unpackHalf2x16(a.y ^ 0x80000u).y * 4.0, 0.0, 1.0);
  floats[6][i] = unpackHalf2x16(b.y ^ 0x300000u).y;
  floats[7][i] = unpackHalf2x16(b.x ^ 3u).x - 0.3125;

  words[0][i] = (a.x & 0xffffu) | (b.x << 16);
  words[1][i] = (a.y & 0xffffu) | (b.y & 0xffff0000u);
  words[2][i] = (a.x & 0xffff0000u) | (b.y & 0xffffu);
  words[3][i] = (a.y & 0xffff0000u) | (b.x >> 16);
  words[4][i] = (a.x >> 16) | (b.x << 16);
  words[5][i] = uint((int(a.x) << 16 >> 16) * 3);
  words[6][i] = uint((int(a.y) >> 16) * 5);
  words[7][i] = (b.x & 0xffffu) * 7u;
  words[8][i] = (b.y >> 16) * 9u;
  // Halves of values that nobody else uses, one of them in the place of the other.
  uint sum = a.x + b.x * 11u, difference = a.y - b.y * 13u;
  words[9][i] = (sum & 0xffffu) | (difference << 16);
}
