// SPDX-License-Identifier: MIT
// Radix sort, step 2: exclusive scan of the digit counts of all blocks, digit by digit.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 1) buffer Counts { uint counts[]; };

shared uint sums[64];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint own = counts[lane];
  sums[lane] = own;
  barrier();
  for (uint offset = 1; offset < 64; offset *= 2) {
    uint other = lane >= offset ? sums[lane - offset] : 0u;
    barrier();
    sums[lane] += other;
    barrier();
  }
  counts[lane] = sums[lane] - own;
}
