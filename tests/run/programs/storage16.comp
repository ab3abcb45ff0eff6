// SPDX-License-Identifier: MIT
// Halves and shorts in memory of every kind: structs with paddings, vectors of two to four, arrays with run-time indices,
// uniform blocks, push constants, workgroup memory and arrays of one invocation. Everything is converted or moved only.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;

struct Record {
  float16_t h;
  int16_t s;
  uint16_t u;
  f16vec3 v;
  i16vec4 w;
  f16vec2 p;
};

layout(push_constant, std430) uniform Push {
  float16_t first;
  uint16_t step;
  int16_t bias;
  f16vec2 pair;
  uint16_t table[5];
} push;
layout(set = 0, binding = 0, std430) readonly buffer Records { Record records[64]; };
layout(set = 0, binding = 1, std140) uniform Block {
  f16vec4 wide;
  float16_t low, high;
  i16vec3 three;
  uint16_t last;
} block;
layout(set = 0, binding = 2, std430) buffer Narrow {
  float16_t halves[3 * 64];
  uint16_t shorts[3 * 64];
  i16vec4 vectors[64];
  f16vec3 odd[64];
  Record copies[64];
};
layout(set = 0, binding = 3, std430) writeonly buffer Wide {
  float floats[12][64];
  int ints[12][64];
};

shared uint16_t turned[65];
shared f16vec4 rows[64];

void main() {
  uint i = gl_LocalInvocationID.x;
  Record r = records[i];
  turned[i + 1] = r.u;
  rows[i] = f16vec4(r.v, r.h);
  if (i == 0) turned[0] = push.step;
  barrier();

  // An odd number of halves, and of shorts, at places that are known to no more than two bytes.
  halves[i * 3] = r.h;
  halves[i * 3 + 1] = r.p.y;
  halves[i * 3 + 2] = rows[63 - i].z;
  shorts[i * 3] = turned[63 - i];
  shorts[i * 3 + 1] = uint16_t(r.s);
  shorts[i * 3 + 2] = push.table[i % 5];
  vectors[i] = r.w.wzyx;
  odd[i] = f16vec3(r.v.zx, block.wide.w);
  copies[63 - i] = r;

  int16_t places[6] = int16_t[6](r.w.x, r.w.y, r.w.z, r.w.w, r.s, push.bias);
  places[i % 6] = int16_t(block.three[i % 3]);

  floats[0][i] = float(r.h);
  floats[1][i] = float(r.v.y);
  floats[2][i] = float(r.p.x);
  floats[3][i] = float(rows[i ^ 5][i & 3]);
  floats[4][i] = float(block.wide[i & 3]);
  floats[5][i] = float(block.low);
  floats[6][i] = float(block.high);
  floats[7][i] = float(push.first);
  floats[8][i] = float(push.pair.y);
  floats[9][i] = float(r.s);
  floats[10][i] = float(r.u);
  floats[11][i] = float(float16_t(float(i) * 0.0625));

  ints[0][i] = int(r.s);
  ints[1][i] = int(r.u);
  ints[2][i] = int(r.w.z);
  ints[3][i] = int(uint16_t(r.w.w));
  ints[4][i] = int(push.bias);
  ints[5][i] = int(push.table[(i + 2) % 5]);
  ints[6][i] = int(block.three.y);
  ints[7][i] = int(block.last);
  ints[8][i] = int(places[(i * 5) % 6]);
  ints[9][i] = int(uint16_t(0x8000u + i * 0x10001u));
  ints[10][i] = int(int16_t(i * 3001u));
  ints[11][i] = int(packFloat2x16(f16vec2(r.p.y, r.h)));
}
