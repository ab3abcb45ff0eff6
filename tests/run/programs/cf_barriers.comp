// SPDX-License-Identifier: MIT
// Barriers in uniform control flow: in a loop with a uniform but unknown trip count, in a uniform branch, after a divergent region.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

shared uint row[64];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint group = gl_WorkGroupID.x;
  uint rounds = inputs[group] % 6 + 1;  // the same in the whole workgroup
  row[lane] = inputs[8 + gl_GlobalInvocationID.x];
  barrier();
  for (uint r = 0; r < rounds; ++r) {
    uint neighbour = row[(lane + 1) & 63];
    uint mine = row[lane];
    barrier();
    if (((mine + r) & 1) != 0) {
      mine = mine * 3 + neighbour;
      for (uint k = mine & 3; k > 0; --k) mine ^= mine << 3;
    } else if ((neighbour & 2) != 0) {
      mine += 77;
    }
    row[lane] = mine;
    barrier();
  }
  if ((group & 1) == 0) {
    uint far = row[63 - lane];
    barrier();
    row[lane] += far;
    barrier();
  }
  results[gl_GlobalInvocationID.x] = row[lane ^ 5];
}
