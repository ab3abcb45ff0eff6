// SPDX-License-Identifier: MIT
// The functions of GLSL.std.450 whose results are exact or correctly rounded: rounding, minimum and maximum, steps,
// exponent and mantissa. Row r of the result is function r.
#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer Inputs { float a[32]; float b[32]; float c[32]; int e[32]; };
layout(set = 0, binding = 1) writeonly buffer Results { float rows[26][32]; int ints[8][32]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  float x = a[i];
  float y = b[i];
  float z = c[i];
  rows[0][i] = round(x);
  rows[1][i] = roundEven(x);
  rows[2][i] = trunc(x);
  rows[3][i] = abs(x);
  rows[4][i] = sign(x);
  rows[5][i] = floor(x);
  rows[6][i] = ceil(x);
  rows[7][i] = fract(x);
  rows[8][i] = min(x, y);
  rows[9][i] = max(x, y);
  rows[10][i] = clamp(x, min(y, z), max(y, z));
  rows[11][i] = step(x, y);
  rows[12][i] = mod(x, 4.0);
  float whole;
  rows[13][i] = modf(x, whole);
  rows[14][i] = whole;
  int exponent;
  rows[15][i] = frexp(x, exponent);
  ints[0][i] = exponent;
  rows[16][i] = ldexp(x, e[i]);
  rows[17][i] = mix(x, y, x < y);
  ivec2 pair_exponents;
  vec2 pair = frexp(vec2(y, z), pair_exponents);
  rows[18][i] = pair.x + float(pair_exponents.x);
  rows[19][i] = pair.y;
  vec3 rounded = roundEven(vec3(x, y, z));
  rows[20][i] = rounded.x + rounded.y + rounded.z;
  rows[21][i] = min(vec2(x, y), vec2(z, x)).y;
  rows[22][i] = dot(sign(vec3(x, y, z)), vec3(1.0, 2.0, 4.0));
  rows[23][i] = -x;
  rows[24][i] = x > y ? z : x;
  rows[25][i] = float(isnan(x)) + 2.0 * float(isinf(y / 0.5));
  ints[1][i] = sign(e[i]);
  ints[2][i] = abs(e[i]);
  ints[3][i] = min(e[i], int(i) - 16);
  ints[4][i] = max(e[i], int(i) - 16);
  ints[5][i] = clamp(e[i], -3, 5);
  ints[6][i] = floatBitsToInt(x) ^ int(floatBitsToUint(y));
  ints[7][i] = int(min(uint(e[i]), 77u) + max(uint(e[i]), 12u) + clamp(uint(e[i]), 3u, 9u));
}
