// SPDX-License-Identifier: MIT
// Last step of a prefix sum: add the scanned total of the blocks before.
#version 450
layout(local_size_x = 256) in;

layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Totals { uint totals[]; };

void main() {
  data[gl_GlobalInvocationID.x] += totals[gl_WorkGroupID.x];
}
