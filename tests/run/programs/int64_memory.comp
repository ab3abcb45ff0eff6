// SPDX-License-Identifier: MIT
// 64-bit integers and vectors of them in all kinds of memory, by constant, uniform and per-lane indices; specialization
// constants of 64 bits; values that are the same in all lanes of a subgroup.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 64) in;
layout(constant_id = 3) const uint64_t key = 5ul;
layout(constant_id = 4) const int64_t start = -7l;

struct Record {
  uint tag;
  uint64_t one;
  u64vec2 two;
  u64vec3 three;
  u64vec4 four;
  uint64_t list[3];
};
layout(set = 0, binding = 0, std430) readonly buffer Inputs { Record records[]; };
layout(set = 0, binding = 1, std140) uniform Table { u64vec2 table[16]; };
layout(set = 0, binding = 2, std430) buffer Results { uint64_t rows[][64]; };
layout(set = 0, binding = 3, std430) writeonly buffer Vectors { u64vec4 vectors[64]; u64vec3 triples[64]; u64vec2 pairs[64]; };
layout(push_constant) uniform Push { uint64_t first; uint64_t values[4]; uint at; };

shared uint64_t words[64];
shared u64vec3 shared_triples[64];

u64vec3 turned(u64vec3 v, uint by) {
  if ((by & 1) != 0) v = v.yzx + u64vec3(1, 2, 3);
  if ((by & 2) != 0) v.z = v.x - v.y;
  return v;
}

void main() {
  uint i = gl_LocalInvocationID.x;
  Record record = records[i % 8];
  rows[0][i] = record.one + record.two.x + record.two.y * 3ul + uint64_t(record.tag);
  rows[1][i] = record.three.x ^ record.three.y << 3 ^ record.three.z << 5;
  rows[2][i] = record.four.x + (record.four.y >> 1) + (record.four.z >> 2) + (record.four.w >> 3);
  rows[3][i] = records[i % 5].list[i % 3] + records[7].list[at % 3];
  rows[4][i] = table[i % 16].x + table[at].y + table[3].x;
  rows[5][i] = first + values[i & 3] + values[at & 3] + values[2];
  rows[6][i] = key * 3ul + uint64_t(start) + uint64_t(start * int64_t(key));

  words[i] = record.one + uint64_t(i) * key;
  shared_triples[63 - i] = u64vec3(record.two, uint64_t(i)) + record.three.zyx;
  barrier();
  rows[7][i] = words[(i * 7 + 3) % 64] + words[5];
  u64vec3 triple = shared_triples[(i + 9) % 64];
  rows[8][i] = triple.x + triple.y * 5ul + triple.z;

  uint64_t own[8];
  for (uint k = 0; k < 8; ++k) own[k] = record.four[k & 3] + uint64_t(k) * record.one;
  own[i & 7] ^= key;
  uint64_t sum = 0ul;
  for (uint k = 0; k < 8; ++k) sum = sum * 31ul + own[(i + k * 3) & 7];
  rows[9][i] = sum;

  u64vec3 v = turned(record.three, i);
  triples[i] = v;
  vectors[63 - i] = u64vec4(v.zx, record.two) + record.four;
  pairs[i] = uvec2(i, at) + record.two;

  // The same in all lanes, which nobody but the module knows.
  uint64_t shared_value = words[at & 63];
  rows[10][i] = subgroupBroadcastFirst(shared_value) + uint64_t(subgroupAllEqual(shared_value)) +
                uint64_t(subgroupAllEqual(uint64_t(i) << 40)) * 2ul;
  rows[11][i] = subgroupBroadcast(shared_value + 17ul, 1) ^ uint64_t(subgroupAllEqual(u64vec2(shared_value, key))) << 60;
}
