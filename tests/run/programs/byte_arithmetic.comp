// SPDX-License-Identifier: MIT
// Integers of 8 bits: in memory of every kind, and everything that GLSL does with them, wrapping around where wider ones
// would not. Once with operands of each invocation, once with those that all share.
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;

struct Pixel {
  u8vec3 colour;
  int8_t depth;
  i8vec2 shift;
  uint8_t flags;
};

layout(push_constant, std430) uniform Push {
  uint8_t first;
  int8_t second;
  u8vec2 pair;
  i8vec4 four;
} push;
layout(set = 0, binding = 0, std430) readonly buffer Pixels { Pixel pixels[64]; };
layout(set = 0, binding = 1, std140) uniform Block {
  u8vec4 wide;
  int8_t low;
  uint8_t high;
} block;
layout(set = 0, binding = 2, std430) buffer Narrow {
  uint8_t plain[3 * 64];
  u8vec4 turned[64];
  Pixel copies[64];
};
layout(set = 0, binding = 3, std430) writeonly buffer Results { uint results[2][34][64]; };

shared uint8_t lines[64];
uint number;

void put(uint set, uint value) {
  results[set][number++][gl_LocalInvocationID.x] = value;
}

void calculate(uint set, uint8_t a, uint8_t b, uint8_t c) {
  int8_t x = int8_t(a), y = int8_t(b), z = int8_t(c);
  uint8_t divisor = b | uint8_t(1);
  int8_t signed_divisor = int8_t((y >> int8_t(3)) | int8_t(1));
  number = 0;
  put(set, uint(a + b));
  put(set, uint(a - b));
  put(set, uint(a * b + c));
  put(set, uint(int(x - y)));
  put(set, uint(int(x * y)));
  put(set, uint(int(-x)));
  put(set, uint(a / divisor));
  put(set, uint(a % divisor));
  put(set, uint(int(x / signed_divisor)));
  put(set, uint(a << (b & uint8_t(7))));
  put(set, uint(a >> (b & uint8_t(7))));
  put(set, uint(int(x >> (y & int8_t(7)))));
  put(set, uint((a & b) ^ ~c));
  put(set, uint(min(a, b)) | uint(max(a, b)) << 8);
  put(set, uint(int(min(x, y))));
  put(set, uint(int(max(x, y))));
  put(set, uint(int(clamp(x, int8_t(-100), int8_t(10)))));
  put(set, uint(int(abs(x))));
  put(set, uint(int(sign(x))));
  put(set, uint(a < b ? 1u : 0u) | uint(a <= b ? 2u : 0u) | uint(a == b ? 4u : 0u) | uint(a != c ? 8u : 0u) |
               uint(x < y ? 16u : 0u) | uint(x >= z ? 32u : 0u) | uint(a + b > c ? 64u : 0u));
  put(set, uint(x < y ? a : c));
  put(set, uint(uint16_t(a) * uint16_t(b)));
  put(set, uint(int(int16_t(x) - int16_t(y))));
  put(set, floatBitsToUint(float(x)));
  put(set, floatBitsToUint(float(float16_t(a))));
  put(set, uint(uint8_t(float(a) * 0.5)));
  put(set, uint(int(int8_t(float16_t(x) * float16_t(-0.25)))));
  put(set, pack32(u8vec4(a, b, c, a + c)));
  put(set, uint(pack16(u8vec2(c, a))));
  put(set, uint(unpack8(uint(a) * 0x01030507u).z));
}

void main() {
  uint i = gl_LocalInvocationID.x;
  Pixel p = pixels[i];
  lines[i] = p.flags;
  barrier();
  plain[i * 3] = p.colour.y;
  plain[i * 3 + 1] = lines[63 - i];
  plain[i * 3 + 2] = uint8_t(p.depth) + push.first;
  turned[i] = u8vec4(p.colour.zyx, p.flags);
  copies[63 - i] = p;
  int8_t places[5] = int8_t[5](p.shift.x, p.shift.y, p.depth, push.second, push.four.w);
  places[i % 5] = int8_t(block.wide[i & 3u]);
  calculate(0, p.colour.x, p.colour.y, p.flags);
  put(0, uint(int(places[(i * 3) % 5])));
  put(0, uint(int(push.four[i & 3u])));
  put(0, uint(block.high) + uint(int(block.low)));
  put(0, uint(push.pair.y));
  calculate(1, block.wide.x, block.wide.y, block.wide.z);
}
