// SPDX-License-Identifier: MIT
// Vectors of halves, whose components lie in pairs in memory: sums and products in loops and branches, of neighbours and
// of components in another order, and one whose second component needs the first. All numbers are small integers, so
// that every result is exact.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Input { uvec4 source[64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Output { f16vec4 result[10][64]; };

shared f16vec4 tile[64];

void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i] = f16vec4(vec4(source[i]));
  barrier();
  f16vec4 a = tile[i], b = tile[i + 1 & 63], c = tile[i + 17 & 63];

  result[0][i] = a * b + c;
  result[1][i] = a * b.yxwz - c;
  result[2][i] = a * b.x + c.wzyx;
  result[3][i] = min(a, -b) + max(c, b);

  f16vec4 sum = f16vec4(0);
  for (uint k = 0; k < (source[i].x & 7u); ++k) sum += tile[i + k & 63] * float16_t(float(k));
  result[4][i] = sum;

  result[5][i] = a.x > b.y ? a : c - b;

  f16vec4 total = a + b;
  result[6][i] = f16vec4(total.x, total.y + total.x * c.x, total.z * c.z, total.w);

  result[7][i] = f16vec4(-a.x, a.y, a.z, -a.w) * b - f16vec4(c.x, -c.y, 2, 5);
  result[8][i] = a * f16vec4(1, 2, 3, 3) + f16vec4(3, 3, 0.5, 1);

  f16vec4 walk = a;
  if ((source[i].y & 1u) != 0) {
    walk = walk * b;
  } else {
    walk = c - walk;
  }
  result[9][i] = walk + walk;
}
