// SPDX-License-Identifier: MIT
// Floats of 16 bits: everything that GLSL does with them. Exact and correctly rounded results are compared by their bits,
// the others as floats.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Numbers { float16_t numbers[4 * 64]; int integers[64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Exact { uint bits[2][33][64]; };
layout(set = 0, binding = 2, std430) writeonly buffer Near { float near[2][18][64]; };

uint number;

void put(uint set, uint value) {
  bits[set][number++][gl_LocalInvocationID.x] = value;
}
void put(uint set, float16_t value) {
  put(set, uint(float16BitsToUint16(value)));
}
void put_near(uint set, float16_t value) {
  near[set][number++][gl_LocalInvocationID.x] = float(value);
}

void calculate(uint set, float16_t a, float16_t b, float16_t c, int n) {
  number = 0;
  precise float16_t sum = a + b, difference = a - b, product = a * b, negative = -a * b, twice = a * b;
  precise float16_t then = twice + c, less = c - abs(twice);
  put(set, sum);
  put(set, difference);
  put(set, product);
  put(set, negative);
  put(set, then);
  put(set, less);
  put(set, -a);
  put(set, abs(a));
  put(set, -abs(b));
  put(set, min(a, b));
  put(set, max(a, b));
  put(set, min(min(a, b), c));
  put(set, max(-a, max(b, c)));
  put(set, clamp(a, float16_t(-1.5), float16_t(2.25)));
  put(set, clamp(a * float16_t(0.25), float16_t(0), float16_t(1)));
  put(set, floor(a));
  put(set, ceil(a));
  put(set, trunc(a));
  put(set, roundEven(a));
  put(set, fract(abs(b)));
  put(set, sign(a));
  put(set, step(a, b));
  put(set, uint(a < b ? 1u : 0u) | uint(a <= b ? 2u : 0u) | uint(a == c ? 4u : 0u) | uint(a != b ? 8u : 0u) |
               uint(-a > abs(c) ? 16u : 0u) | uint(isinf(a) ? 32u : 0u) | uint(isnan(a) ? 64u : 0u));
  put(set, a < c ? b : a);
  put(set, uint(int(a)));
  put(set, uint(abs(b)));
  put(set, uint(uint16_t(abs(a))));
  put(set, uint(int(int16_t(b))));
  put(set, float16_t(n));
  put(set, float16_t(uint(n) & 0xffffu));
  put(set, float16_t(int16_t(n)));
  put(set, float16_t(float(n) * 0.0078125));
  put(set, packFloat2x16(f16vec2(a, sum)));
  number = 0;
  float16_t positive = abs(a) + float16_t(0.125);
  put_near(set, a / positive);
  put_near(set, float16_t(1) / positive);
  put_near(set, sqrt(positive));
  put_near(set, inversesqrt(positive));
  put_near(set, exp2(a));
  put_near(set, log2(positive));
  put_near(set, exp(b));
  put_near(set, log(positive));
  put_near(set, sin(a));
  put_near(set, cos(a));
  put_near(set, pow(positive, float16_t(1.5)));
  put_near(set, mod(abs(a), float16_t(0.75)));
  put_near(set, mix(a, b, float16_t(0.25)));
  put_near(set, ldexp(a, n & 3));
  int exponent;
  float16_t mantissa = frexp(positive, exponent);
  put_near(set, mantissa);
  near[set][number++][gl_LocalInvocationID.x] = float(exponent);
  put_near(set, fma(a, b, c));
  put_near(set, length(f16vec3(a, b, c)));
}

void main() {
  uint i = gl_LocalInvocationID.x;
  calculate(0, numbers[i], numbers[64 + i], numbers[128 + i], integers[i]);
  calculate(1, numbers[192], numbers[193], numbers[194], integers[0]);
}
