// SPDX-License-Identifier: MIT
// First step of a prefix sum over several workgroups: scan blocks of 256, keep each block's total.
#version 450
layout(local_size_x = 256) in;

layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Totals { uint totals[]; };

shared uint scratch[2][256];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint value = data[gl_GlobalInvocationID.x];
  uint source = 0;
  scratch[0][lane] = value;
  barrier();
  for (uint offset = 1; offset < 256; offset <<= 1) {
    uint sum = scratch[source][lane];
    if (lane >= offset) sum += scratch[source][lane - offset];
    scratch[1 - source][lane] = sum;
    source = 1 - source;
    barrier();
  }
  data[gl_GlobalInvocationID.x] = scratch[source][lane];
  if (lane == 255) totals[gl_WorkGroupID.x] = scratch[source][lane];
}
