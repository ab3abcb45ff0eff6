// SPDX-License-Identifier: MIT
// A quad of 64 pixels for each instance, whose outputs of 64 bits are made of its number: vectors that take one and two
// locations, components that share a location, columns of a matrix, elements of an array, a block, integers.
#version 450
#extension GL_ARB_gpu_shader_int64 : require

layout(location = 0) flat out dvec4 four;                       // locations 0 and 1
layout(location = 2) flat out double low;
layout(location = 2, component = 2) flat out double high;
layout(location = 3) flat out dmat2x3 columns;                  // two locations for each column
layout(location = 7) flat out dvec2 list[2];
layout(location = 9) out Block { flat dvec3 three; flat int64_t number; flat u64vec2 pair; };  // 9, 10; 11; 12
layout(location = 13) out float shade;

void main() {
  int cell = gl_InstanceIndex;
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = vec4((vec2(cell % 4, cell / 4) + corner) * 0.5 - 1.0, 0.0, 1.0);
  double x = double(cell) + 0.1lf;
  four = dvec4(x, x * 3.0lf, -x, x * x);
  low = x / 3.0lf;
  high = sqrt(x);
  columns = dmat2x3(x, x + 1.0lf, x + 2.0lf, x * 1e100lf, x * 1e-100lf, -0.0lf);
  list = dvec2[](dvec2(x, 1.0lf / x), dvec2(floor(x), fract(x)));
  three = dvec3(four.w, low, high);
  number = int64_t(-1 - cell) * 0x123456789l;
  pair = u64vec2(0xfedcba9876543210ul >> cell, uint64_t(cell) << 40);
  shade = corner.x;
}
