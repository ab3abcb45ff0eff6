// SPDX-License-Identifier: MIT
// Reads beyond the end of an inline uniform block, by all invocations together and by each.
#version 450
layout(local_size_x = 64) in;

layout(push_constant) uniform Push { uint far; };
layout(set = 0, binding = 0, std140) uniform Block { uvec4 rows[16]; };
layout(set = 0, binding = 1) readonly buffer Places { uint places[64]; };
layout(set = 0, binding = 2) writeonly buffer Results { uvec4 results[64]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uvec4 own = rows[places[i]], shared_row = rows[far];
  results[i] = own * 3u + shared_row + uvec4(rows[15].w, rows[i & 15u].xyz);
}
