// SPDX-License-Identifier: MIT
// Doubles in all kinds of memory: vectors, matrices, arrays and structs in storage and uniform buffers of both layouts, push
// constants, shared and private arrays. They are moved as they are, so that their bits tell where they came from.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;

struct Record { double first; float narrow; dvec3 three; dmat2x3 columns; double list[3]; dvec2 pair; };
layout(set = 0, binding = 0, std430) readonly buffer Records { Record records[]; };
layout(set = 0, binding = 1, std140) uniform Block { dvec2 pairs[4]; double single; layout(row_major) dmat3x2 rows; double last[2]; } block;
layout(set = 0, binding = 2) writeonly buffer Results { uint64_t results[][64]; };
struct Stored { dvec4 four; dvec3 three; double one; dmat2 square; };
layout(set = 0, binding = 3, std430) writeonly buffer Copies { Stored copies[]; };
layout(push_constant) uniform Push { double values[3]; dvec2 pair; };

shared double exchanged[64];
shared dvec3 vectors[64];

uint64_t bits(double x) { return doubleBitsToUint64(x); }
uint64_t bits(dvec3 v) { return bits(v.x) ^ bits(v.y) << 1 ^ bits(v.z) << 2; }

void main() {
  uint i = gl_LocalInvocationIndex;
  Record r = records[i % 5u];
  results[0][i] = bits(r.first) ^ bits(r.three) ^ bits(r.columns[1]) << 3 ^ bits(r.columns[i & 1u][i % 3u]);
  results[1][i] = bits(records[i % 5u].list[i % 3u]) ^ bits(r.pair.y) << 1 ^ uint64_t(floatBitsToUint(r.narrow));
  results[2][i] = bits(block.pairs[i & 3u].y) ^ bits(block.single) << 1 ^ bits(block.rows[i % 3u].y) << 2 ^ bits(block.last[i & 1u]);
  results[3][i] = bits(values[i % 3u]) ^ bits(values[1]) << 1 ^ bits(pair.y) << 2;
  results[4][i] = bits(records[2].three) ^ bits(records[block.pairs.length()].list[2]) ^ bits(block.rows[2][0]);

  exchanged[i] = r.columns[0][i % 3u];
  vectors[i] = r.three.zyx;
  barrier();
  results[5][i] = bits(exchanged[(i * 7u + 3u) & 63u]) ^ bits(vectors[i ^ 21u]) << 1 ^ bits(vectors[63u - i][i % 3u]);

  double local[8];
  for (uint k = 0; k < 8u; ++k) local[k] = records[k % 5u].list[k % 3u];
  local[i & 7u] = r.first;
  double swap = local[(i * 3u) & 7u];
  local[(i * 3u) & 7u] = local[(i * 5u + 1u) & 7u];
  local[(i * 5u + 1u) & 7u] = swap;
  uint64_t all = 0ul;
  for (uint k = 0; k < 8u; ++k) all = (all << 3 | all >> 61) ^ bits(local[(k + i) & 7u]);
  results[6][i] = all;

  double chosen = r.first, other = r.pair.x;
  for (uint k = 0; k < i; ++k) {
    double next = k % 3u == 0u ? other : records[k % 5u].list[0];
    other = chosen;
    chosen = next;
  }
  results[7][i] = bits(chosen) ^ bits(other) << 1;
  copies[i].four = dvec4(r.pair, r.three.xy);
  copies[i].three = r.columns[1];
  copies[i].one = chosen;
  copies[i].square = dmat2(r.columns[0].xy, r.columns[1].zx);
}
