// SPDX-License-Identifier: MIT
// Functions and matrices of 16-bit floats beyond plain arithmetic, specialization constants and shared blocks of 16 bits,
// and what subgroups do with such numbers.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;

layout(constant_id = 0) const int kCount = 3;

layout(set = 0, binding = 0, std430) readonly buffer Numbers { float16_t numbers[3 * 64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Near { float near[31][64]; };
layout(set = 0, binding = 2, std430) writeonly buffer Exact { uint exact[9][64]; };

shared f16mat2x3 matrices[64];
uint number = 0;

void put(float16_t value) {
  near[number++][gl_LocalInvocationID.x] = float(value);
}
void put_exact(uint value) {
  exact[number++][gl_LocalInvocationID.x] = value;
}

void main() {
  uint i = gl_LocalInvocationID.x;
  float16_t a = numbers[i], b = numbers[64 + i], c = numbers[128 + i];
  float16_t small = a * float16_t(0.25), positive = abs(b) + float16_t(0.5);
  f16vec3 v = f16vec3(a, b, c), w = f16vec3(c, a, positive);
  matrices[i] = f16mat2x3(v, w);
  barrier();
  put(tan(small));
  put(asin(small));
  put(acos(small));
  put(atan(a));
  put(atan(b, positive));
  put(sinh(small));
  put(cosh(small));
  put(tanh(a));
  put(asinh(a));
  put(acosh(positive + float16_t(1)));
  put(atanh(small));
  put(smoothstep(float16_t(-1), float16_t(2), a));
  put(radians(b * float16_t(50)));
  put(degrees(small));
  put(dot(v, w));
  put(cross(v, w).y);
  put(normalize(w).z);
  put(distance(v, w));
  put(reflect(v, normalize(w)).x);
  put(faceforward(v, w, v).z);
  f16vec3 product = (f16vec2(positive, b) * float16_t(0.125) * transpose(matrices[i ^ 1])) * f16mat3(matrices[i][0], matrices[i][1], f16vec3(0, 0, 1));
  put(product.y);
  f16vec3 moved = matrices[63 - i] * f16vec2(a, positive);
  put(moved.x);
  put(moved.z);
  f16mat2 square = f16mat2(a, b, c, positive);
  put(determinant(square));
  put((square * f16mat2(1.0, 2.0, 0.5, 1.0))[1].x);
  float16_t whole;
  put(modf(a * float16_t(3), whole));
  put(whole);
  float16_t sum = float16_t(0);
  for (int n = 0; n < kCount; ++n) sum += float16_t(kCount) * float16_t(0.5) * a;
  put(sum);
  put(round(a + float16_t(0.3125)));
  put(subgroupBroadcastFirst(float16_t(i & 7u)));
  put(subgroupBroadcast(float16_t(i & 7u) + float16_t(0.5), 3u));
  number = 0;
  int16_t own = int16_t(i & 1u), same = int16_t(kCount);
  put_exact(subgroupAllEqual(own) ? 1u : 0u);
  put_exact(subgroupAllEqual(same) ? 1u : 0u);
  put_exact(subgroupAllEqual(a) ? 1u : 0u);
  put_exact(subgroupAllEqual(f16vec2(numbers[0], numbers[1])) ? 1u : 0u);
  put_exact(uint(int(subgroupBroadcastFirst(int16_t(-own - int16_t(5))))));
  put_exact(uint(subgroupBroadcast(uint16_t((i & 7u) * 31027u), 3u)));
  put_exact(uint(subgroupBroadcastFirst(u16vec3(uint16_t(7), uint16_t(i & 0u), uint16_t(9))).z));
  if ((i & 2u) != 0u) {
    exact[number][i] = uint(int(subgroupBroadcastFirst(own)));
  } else {
    exact[number][i] = 77u;
  }
  ++number;
  put_exact(uint(int(int16_t(numbers[i]) * int16_t(kCount))));
}
