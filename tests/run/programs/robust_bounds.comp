// SPDX-License-Identifier: MIT
// Accesses at and beyond both ends of buffers, as robustBufferAccess2 defines them: reads give zero, stores and atomics
// change nothing, dword by dword. Scalars and vectors, neighbours that become one access, indices that are the same in
// all invocations, in push constants or different in each. No byte offset passes 2^32.
#version 450
layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) readonly buffer Places { int places[]; };
layout(std430, set = 0, binding = 1) buffer Words { uint words[]; } data;
layout(std430, set = 0, binding = 2) buffer Quads { uvec4 quads[]; } vectors;
layout(std140, set = 0, binding = 3) uniform Table { uvec4 rows[16]; } table;
layout(std430, set = 0, binding = 4) buffer Target { uint target[]; };
layout(std430, set = 0, binding = 5) buffer Counters { uint counters[]; };
layout(std430, set = 0, binding = 6) writeonly buffer Results { uvec4 results[]; };
layout(push_constant) uniform Push { int far; int edge; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int place = places[i];

  // One dword, and four in a row.
  uvec4 r = uvec4(data.words[place], data.words[far], data.words[edge], 0u);
  r.w = data.words[place] * 3u + data.words[place + 1] * 5u + data.words[place + 2] * 7u + data.words[place + 3] * 11u;

  // Vectors of which the end of the buffer leaves two components, and rows of a uniform block.
  r += vectors.quads[place >> 2] + vectors.quads[edge >> 2];
  r += table.rows[place >> 4] * 13u + table.rows[far] * 17u;

  // Only some invocations get here, and only with the value that was read.
  if (data.words[place] == 0u) r.x += 1000u;
  uint sum = 0u;
  for (int k = place - 2; k <= place + 2; ++k) sum += data.words[k] >> 4;
  r.y += sum;

  // Stores and atomics to what exists for some invocations only.
  target[place] = r.y;
  atomicAdd(counters[place & 3], 1u);
  atomicAdd(counters[place], 1u);
  atomicMax(counters[far], 77u);
  results[i] = r;
}
