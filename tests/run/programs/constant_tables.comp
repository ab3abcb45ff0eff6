// SPDX-License-Identifier: MIT
// Arrays of constants that are read at indices which are only known at run time, the same one for all invocations and one
// for each: words, vectors, matrices, structures, arrays of arrays, bytes, halves and integers of 64 bits; equal ones; one
// that is written before it is read, and one that is written in a loop.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;

struct Shape {
  vec3 corner;
  uint kind;
  mat2x3 turn;
  bool open;
};

layout(push_constant, std430) uniform Push {
  uint first;
  int back;
};
layout(set = 0, binding = 0, std430) readonly buffer Indices {
  uint indices[64];
};
layout(set = 0, binding = 1, std430) writeonly buffer Results {
  uint results[][24];
};

const uint words[19] = uint[](3u, 141u, 59u, 26u, 535u, 8979u, 323u, 84u, 626u, 4338u, 3279u, 502u, 88u, 4197u, 169u,
                              3993u, 75105u, 8209u, 0x80000001u);
const uint again[19] = uint[](3u, 141u, 59u, 26u, 535u, 8979u, 323u, 84u, 626u, 4338u, 3279u, 502u, 88u, 4197u, 169u,
                              3993u, 75105u, 8209u, 0x80000001u);
const vec4 colours[17] = vec4[](
    vec4(0.0, 0.25, 0.5, 1.0), vec4(1.0, 2.0, 3.0, 4.0), vec4(-1.0, -2.0, -3.0, -4.0), vec4(0.125, 8.0, 64.0, 512.0),
    vec4(5.0, 6.0, 7.0, 8.0), vec4(9.0, 10.0, 11.0, 12.0), vec4(13.0, 14.0, 15.0, 16.0), vec4(17.0, 18.0, 19.0, 20.0),
    vec4(21.0, 22.0, 23.0, 24.0), vec4(25.0, 26.0, 27.0, 28.0), vec4(29.0, 30.0, 31.0, 32.0),
    vec4(33.0, 34.0, 35.0, 36.0), vec4(37.0, 38.0, 39.0, 40.0), vec4(41.0, 42.0, 43.0, 44.0),
    vec4(45.0, 46.0, 47.0, 48.0), vec4(49.0, 50.0, 51.0, 52.0), vec4(53.0, 54.0, 55.0, 56.0));
const Shape shapes[18] = Shape[](
    Shape(vec3(1, 2, 3), 4u, mat2x3(5, 6, 7, 8, 9, 10), true), Shape(vec3(2, 2, 3), 5u, mat2x3(5, 6, 7, 8, 9, 11), false),
    Shape(vec3(3, 2, 3), 6u, mat2x3(5, 6, 7, 8, 9, 12), true), Shape(vec3(4, 2, 3), 7u, mat2x3(5, 6, 7, 8, 9, 13), true),
    Shape(vec3(5, 2, 3), 8u, mat2x3(5, 6, 7, 8, 9, 14), false), Shape(vec3(6, 2, 3), 9u, mat2x3(5, 6, 7, 8, 9, 15), true),
    Shape(vec3(7, 2, 3), 10u, mat2x3(5, 6, 7, 8, 9, 16), true), Shape(vec3(8, 2, 3), 11u, mat2x3(5, 6, 7, 8, 9, 17), false),
    Shape(vec3(9, 2, 3), 12u, mat2x3(5, 6, 7, 8, 9, 18), true), Shape(vec3(10, 2, 3), 13u, mat2x3(5, 6, 7, 8, 9, 19), true),
    Shape(vec3(11, 2, 3), 14u, mat2x3(5, 6, 7, 8, 9, 20), false), Shape(vec3(12, 2, 3), 15u, mat2x3(5, 6, 7, 8, 9, 21), true),
    Shape(vec3(13, 2, 3), 16u, mat2x3(5, 6, 7, 8, 9, 22), false), Shape(vec3(14, 2, 3), 17u, mat2x3(5, 6, 7, 8, 9, 23), true),
    Shape(vec3(15, 2, 3), 18u, mat2x3(5, 6, 7, 8, 9, 24), true), Shape(vec3(16, 2, 3), 19u, mat2x3(5, 6, 7, 8, 9, 25), false),
    Shape(vec3(17, 2, 3), 20u, mat2x3(5, 6, 7, 8, 9, 26), true), Shape(vec3(18, 2, 3), 21u, mat2x3(5, 6, 7, 8, 9, 27), true));
const int rows[6][5] = int[][](int[](0, 1, 2, 3, 4), int[](10, 11, 12, 13, 14), int[](20, 21, 22, 23, 24),
                               int[](30, 31, 32, 33, 34), int[](-40, -41, -42, -43, -44), int[](50, 51, 52, 53, 54));
const uint8_t bytes[21] = uint8_t[](uint8_t(1), uint8_t(2), uint8_t(3), uint8_t(250), uint8_t(251), uint8_t(252),
    uint8_t(7), uint8_t(17), uint8_t(27), uint8_t(37), uint8_t(47), uint8_t(57), uint8_t(67), uint8_t(77), uint8_t(87),
    uint8_t(97), uint8_t(107), uint8_t(117), uint8_t(127), uint8_t(137), uint8_t(255));
const f16vec2 halves[17] = f16vec2[](f16vec2(1, 2), f16vec2(3, 4), f16vec2(5, 6), f16vec2(7, 8), f16vec2(9, 10),
    f16vec2(11, 12), f16vec2(13, 14), f16vec2(15, 16), f16vec2(17, 18), f16vec2(19, 20), f16vec2(21, 22), f16vec2(23, 24),
    f16vec2(25, 26), f16vec2(27, 28), f16vec2(29, 30), f16vec2(31, 32), f16vec2(0.5, 0.25));
const uint64_t wide[17] = uint64_t[](0x0123456789abcdeful, 1ul, 2ul, 0xffffffff00000000ul, 4ul, 5ul, 0x8000000000000000ul,
    7ul, 8ul, 9ul, 0x1000000001ul, 11ul, 12ul, 13ul, 14ul, 15ul, 0xfedcba9876543210ul);

uint mixed(uint at) {
  // Not constant: one element is written.
  uint own[20];
  for (uint i = 0u; i < 20u; ++i) own[i] = words[i % 19u] ^ i;
  own[at % 20u] = 77u;
  return own[(at * 7u) % 20u];
}

void main() {
  const uint lane = gl_LocalInvocationIndex, index = indices[lane], same = first + gl_WorkGroupID.x;
  const uint at = gl_WorkGroupID.x * 64u + lane;
  uint r[24];
  r[0] = words[index % 19u];
  r[1] = words[same];
  r[2] = again[same] + again[(index + 3u) % 19u];
  const vec4 colour = colours[index % 17u], common_colour = colours[same];
  r[3] = floatBitsToUint(colour.x + colour.y);
  r[4] = floatBitsToUint(colour.z - colour.w);
  r[5] = floatBitsToUint(common_colour.x + common_colour.w);
  r[6] = floatBitsToUint(colours[same][index % 4u]);
  const Shape shape = shapes[index % 18u], common_shape = shapes[same];
  r[7] = floatBitsToUint(shape.corner.x + shape.corner.z);
  r[8] = shape.kind + common_shape.kind;
  r[9] = floatBitsToUint(shape.turn[1][2] + common_shape.turn[index % 2u][same % 3u]);
  r[10] = (shape.open ? 1u : 0u) + (common_shape.open ? 2u : 0u);
  r[11] = uint(rows[index % 6u][same % 5u]);
  r[12] = uint(rows[same % 6u][index % 5u] + rows[same % 6u][same % 5u]);
  r[13] = uint(bytes[index % 21u]) + (uint(bytes[same]) << 8u);
  r[14] = floatBitsToUint(float(halves[index % 17u].x) + float(halves[same].y));
  r[15] = uint(wide[index % 17u] >> 32ul) ^ uint(wide[same]);
  r[16] = uint(wide[index % 17u]) ^ uint(wide[same] >> 32ul);
  uint sum = 0u;
  for (uint i = 0u; i < index % 7u; ++i) sum = sum * 3u + words[(i * 5u + index) % 19u];
  r[17] = sum;
  sum = 0u;
  for (uint i = 0u; i < same; ++i) sum = sum * 3u + words[i];
  r[18] = sum;
  r[19] = mixed(index);
  r[20] = mixed(same);
  // The index before the last, which no table has before its start.
  r[21] = words[int(index % 18u) + 1 + back];
  r[22] = index % 3u == 0u ? words[(index / 3u) % 19u] : again[(index / 2u) % 19u];
  r[23] = (index & 1u) != 0u ? words[index & 15u] : 5u;
  for (uint i = 0u; i < 24u; ++i) results[at][i] = r[i];
}
