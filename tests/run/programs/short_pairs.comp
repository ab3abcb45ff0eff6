// SPDX-License-Identifier: MIT
// Vectors of 16-bit integers, whose components lie in pairs in memory: every operation that works on two at once, with
// neighbours, with components in another order, with constants of each kind (the same in both, negative, different,
// beyond what an instruction holds), through loops, branches and selects, and beside what lanes agree about; and halves
// that are clamped.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Input { uvec2 source[64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Signed { i16vec4 result[14][64]; };
layout(set = 0, binding = 2, std430) writeonly buffer Unsigned { u16vec2 unsigned_result[10][64]; };
layout(set = 0, binding = 3, std430) writeonly buffer Halves { f16vec4 clamped[3][64]; };

shared i16vec4 tile[64];

i16vec4 number(uint i) {
  uvec2 words = source[i];
  return i16vec4(unpack16(int(words.x)), unpack16(int(words.y)));
}

void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i] = number(i);
  barrier();
  i16vec4 a = tile[i], b = tile[i + 1 & 63], c = tile[i + 17 & 63];
  const i16vec4 amounts = b & int16_t(15);

  result[0][i] = a * b + c;
  result[1][i] = a * b.yxwz - c;
  result[2][i] = c.wzyx - a * b.x;
  result[3][i] = min(a, b) + max(c, b.wzyx);
  result[4][i] = (a << 3s) ^ (b >> amounts);
  result[5][i] = ~(a & b.yxwz) | (c ^ i16vec4(0x5a5a, 0x5a5a, 0x1234, 0x4321));
  result[6][i] = a * int16_t(-3) + i16vec4(-16, -16, 64, 65);
  result[7][i] = (a >> i16vec4(1, 2, 15, 0)) - i16vec4(1000, 1000, 7, -8);

  i16vec4 sum = i16vec4(0);
  for (uint k = 0; k < (source[i].x & 7u); ++k) sum += tile[i + k & 63] * int16_t(k) + i16vec4(1, 2, 1, 2);
  result[8][i] = sum;

  result[9][i] = a.x > b.y ? a + b : c - b;

  i16vec4 total = a + b;
  result[10][i] = i16vec4(total.x, total.y + total.x * c.x, total.z * c.z, total.w);

  i16vec4 walk = a;
  if ((source[i].y & 1u) != 0) {
    walk = walk * b;
  } else {
    walk = c - walk;
  }
  result[11][i] = walk + walk;

  // All lanes agree about these, or about one of the two.
  i16vec4 same = tile[5] * int16_t(gl_WorkGroupID.x + 3u);
  result[12][i] = same;
  result[13][i] = i16vec4(same.x + a.x, same.y + tile[9].y, same.z + int16_t(gl_WorkGroupID.x), same.w + b.w);

  u16vec2 u = u16vec2(a.xy), v = u16vec2(b.xy), w = u16vec2(c.xy);
  unsigned_result[0][i] = u * v + w;
  unsigned_result[1][i] = min(u, v.yx) + max(w, v);
  unsigned_result[2][i] = u >> u16vec2(amounts.xy);
  unsigned_result[3][i] = u >> 5us;
  unsigned_result[4][i] = (u << u16vec2(amounts.yx)) + (v >> u16vec2(3, 9));
  unsigned_result[5][i] = max(u, u16vec2(0xfff0, 0xfff0)) - min(v, u16vec2(64, 64));
  unsigned_result[6][i] = u16vec2(u.x, u.x) * v + u16vec2(w.y, w.y);
  unsigned_result[7][i] = ~u & u16vec2(0x00ff, 0x00ff);
  unsigned_result[8][i] = (u ^ v.yx) & u16vec2(0xffff, 0);
  unsigned_result[9][i] = u16vec2(0, 0) - u;

  f16vec4 x = f16vec4(a & int16_t(7)) * 0.25hf, y = f16vec4(b & int16_t(7)) * -0.5hf;
  clamped[0][i] = clamp(x + y, f16vec4(0), f16vec4(1));
  clamped[1][i] = clamp(x * y.yxwz + x, f16vec4(0), f16vec4(1));
  clamped[2][i] = clamp(y, f16vec4(0), f16vec4(1)) + clamp(x.wzyx, f16vec4(0), f16vec4(1));
}
