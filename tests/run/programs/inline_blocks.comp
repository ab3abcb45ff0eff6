// SPDX-License-Identifier: MIT
// Uniform blocks that lie in the table of their set: read at known places, at places that all invocations share, and at
// a place of each invocation. The other buffers have their descriptors in user data.
#version 450
layout(local_size_x = 64) in;

layout(push_constant) uniform Push { uint which; uint terms; };
layout(set = 0, binding = 0, std140) uniform Table { uvec4 rows[6]; uint first; uint second; uvec2 pair; };
layout(set = 0, binding = 1) readonly buffer Input { uint words[]; };
layout(set = 1, binding = 3, std140) uniform Key { uint key; float scale; uvec2 shifts; };
layout(set = 1, binding = 4) writeonly buffer Results { uvec4 results[64]; };
layout(set = 1, binding = 5) buffer Extra { uint extra[]; } extras[2];

void main() {
  uint i = gl_LocalInvocationIndex;
  uint shared_row = rows[which].y + first * pair.x;
  uint own_component = rows[words[i] % 6u][i & 3u];
  uint sum = 0;
  for (uint k = 0; k < terms; ++k) sum += rows[k % 6u].z * (k + second);
  uint mixed = (words[i] ^ key) >> shifts.x | words[i] << shifts.y;
  results[i] = uvec4(shared_row, own_component, sum + pair.y, mixed);
  extras[0].extra[i] += own_component;
  extras[1].extra[63u - i] = uint(scale * float(words[i] >> 16));
}
