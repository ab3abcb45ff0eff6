// SPDX-License-Identifier: MIT
// Blocks in workgroup memory with explicit layouts: all of them lie at the same place, and each shows it as other types.
#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 64) in;

struct Part { uint id; vec3 place; };

layout(set = 0, binding = 0) readonly buffer Input { uint words_in[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

shared Words { uint words[256]; };
shared Rows { layout(offset = 16) uvec4 rows[63]; };
shared Mixed { layout(offset = 32) mat2x3 matrix; layout(offset = 96) Part parts[4]; layout(offset = 224, row_major) mat3x2 other; };

void main() {
  uint i = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 256u;
  for (uint k = 0u; k < 4u; ++k) words[i * 4u + k] = words_in[base + i * 4u + k];
  barrier();
  uvec4 row = rows[(i * 7u) % 63u];
  uint part = parts[i & 3u].id ^ floatBitsToUint(parts[i >> 4].place[i % 3u]);
  uint element = floatBitsToUint(matrix[i & 1u][(i >> 1) % 3u]) + floatBitsToUint(other[i % 3u][i & 1u]);
  barrier();
  if (i < 63u) rows[i] = row.wzyx + uvec4(part, element, i, 1u);
  barrier();
  for (uint k = 0u; k < 4u; ++k) results[base + i * 4u + k] = words[i * 4u + k];
}
