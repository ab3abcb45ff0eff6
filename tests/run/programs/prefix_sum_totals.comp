// SPDX-License-Identifier: MIT
// Second step of a prefix sum: exclusive scan of the block totals by one small workgroup (Brent-Kung tree).
#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 1) buffer Totals { uint totals[]; };

shared uint tree[16];

void main() {
  uint lane = gl_LocalInvocationID.x;
  tree[2 * lane] = totals[2 * lane];
  tree[2 * lane + 1] = totals[2 * lane + 1];
  uint stride = 1;
  for (uint count = 8; count > 0; count >>= 1) {
    barrier();
    if (lane < count) {
      uint left = stride * (2 * lane + 1) - 1;
      uint right = stride * (2 * lane + 2) - 1;
      tree[right] += tree[left];
    }
    stride *= 2;
  }
  barrier();
  if (lane == 0) tree[15] = 0;
  for (uint count = 1; count < 16; count <<= 1) {
    stride >>= 1;
    barrier();
    if (lane < count) {
      uint left = stride * (2 * lane + 1) - 1;
      uint right = stride * (2 * lane + 2) - 1;
      uint moved = tree[left];
      tree[left] = tree[right];
      tree[right] += moved;
    }
  }
  barrier();
  totals[2 * lane] = tree[2 * lane];
  totals[2 * lane + 1] = tree[2 * lane + 1];
}
