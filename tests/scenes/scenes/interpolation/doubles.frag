// SPDX-License-Identifier: MIT
// Computes what the vertex shader put out once more, and shows how much of it arrived: all of it is green.
#version 450
#extension GL_ARB_gpu_shader_int64 : require

layout(location = 0) flat in dvec4 four;
layout(location = 2) flat in double low;
layout(location = 2, component = 2) flat in double high;
layout(location = 3) flat in dmat2x3 columns;
layout(location = 7) flat in dvec2 list[2];
layout(location = 9) in Block { flat dvec3 three; flat int64_t number; flat u64vec2 pair; };
layout(location = 13) in float shade;
layout(location = 0) out vec4 color;

void main() {
  ivec2 place = ivec2(gl_FragCoord.xy) / 16;
  int cell = place.x + 4 * place.y;
  double x = double(cell) + 0.1lf;
  bool right = four == dvec4(x, x * 3.0lf, -x, x * x) && low == x / 3.0lf && high == sqrt(x);
  right = right && columns[0] == dvec3(x, x + 1.0lf, x + 2.0lf) && columns[1] == dvec3(x * 1e100lf, x * 1e-100lf, 0.0lf);
  right = right && list[cell & 1] == ((cell & 1) == 0 ? dvec2(x, 1.0lf / x) : dvec2(floor(x), fract(x)));
  right = right && three == dvec3(four.w, low, high) && number == int64_t(-1 - cell) * 0x123456789l;
  right = right && pair == u64vec2(0xfedcba9876543210ul >> cell, uint64_t(cell) << 40);
  color = vec4(right ? 0.0 : 1.0, right ? 1.0 : 0.0, shade, 1.0);
}
