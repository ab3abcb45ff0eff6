// SPDX-License-Identifier: MIT
// The same nested structure under std140, std430 and scalar layout, with row-major and column-major matrices: copies each
// into the others member by member and as a whole.
#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;

struct Inner {
  float a;
  vec3 b;
  float c[3];
  mat2x3 d;
};

struct Outer {
  vec2 head;
  Inner inner[2];
  mat3 turn;
  uint tail;
};

layout(set = 0, binding = 0, std140) uniform Std140 { Outer first; layout(row_major) Outer second; };
layout(set = 0, binding = 1, std430) buffer Std430 { Outer column_wise; layout(row_major) Outer row_wise; };
layout(set = 0, binding = 2, scalar) buffer Scalar { uint before; Outer tight; layout(row_major) mat4x3 wide[2]; };
layout(set = 0, binding = 3, std430) buffer Sums { vec4 sums[4]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i == 0) column_wise = first;
  if (i == 1) {
    row_wise.head = second.head.yx;
    row_wise.inner[0] = second.inner[1];
    row_wise.inner[1].a = first.inner[0].b.y;
    row_wise.inner[1].b = first.inner[1].d[1];
    row_wise.inner[1].c = second.inner[0].c;
    row_wise.inner[1].d = second.inner[0].d * 2.0;
    row_wise.turn = transpose(second.turn);
    row_wise.tail = second.tail + 1;
  }
  if (i == 2) {
    tight = first;
    tight.inner[1].c[first.tail & 1] = 42.0;
    wide[1] = mat4x3(first.turn);
    wide[0][2] = second.turn[1];
    wide[0][1].z = 9.0;
    before += second.tail;
  }
  // Dynamic places in both majornesses, read only.
  vec3 column = second.turn[i % 3];
  float element = first.inner[i & 1].d[(i >> 1) & 1][i % 3] + second.inner[i & 1].d[(i >> 1) & 1][i % 3];
  sums[i] = vec4(column, element + second.inner[1].c[i % 3]);
}
