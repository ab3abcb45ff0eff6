// SPDX-License-Identifier: MIT
// Null descriptors (VK_EXT_robustness2): buffers that are there for the shader and for nobody else. Reads give zero,
// stores and atomics vanish, lengths are zero; next to buffers that exist, and among the elements of arrays.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) buffer Missing { uvec4 head; uint tail[]; } missing;
layout(std140, set = 0, binding = 1) uniform MissingTable { uvec4 rows[8]; } table;
layout(std430, set = 0, binding = 2) buffer Present { uvec4 head; uint tail[]; } present;
layout(std430, set = 1, binding = 0) buffer Elements { uint count; uint words[]; } elements[4];
layout(std430, set = 1, binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint which; };

void main() {
  uint i = gl_GlobalInvocationID.x;

  // Uniform and divergent places, dwords and vectors.
  uvec4 q = missing.head + table.rows[i & 7u] + table.rows[which] + present.head;
  uint r = q.x + q.y * 3u + q.z * 5u + q.w * 7u;
  r += missing.tail[i] + missing.tail[which] + missing.tail[i + 1u] * 3u;
  r += uint(missing.tail.length()) * 1000u + uint(present.tail.length());

  // What comes back is zero, whatever was written.
  missing.head = uvec4(i);
  missing.tail[i] = i + 1u;
  missing.tail[which] = 5u;
  r += atomicAdd(present.tail[i & 1u], 1u) * 0u;
  atomicAdd(missing.tail[0], 1u);
  atomicMax(missing.head.y, i);

  // Element 1 and element 3 are null.
  r += elements[which].words[i & 3u] * 11u + elements[which & 1u].words[0];
  r += elements[nonuniformEXT(i & 3u)].words[i & 3u] * 13u;
  r += uint(elements[which].words.length()) * 100u;
  atomicAdd(elements[nonuniformEXT(i & 3u)].count, 1u);
  if (i == 6u || i == 7u) elements[nonuniformEXT(i & 1u)].words[4] = 99u;
  results[i] = r;
}
