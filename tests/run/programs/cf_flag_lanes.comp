// SPDX-License-Identifier: MIT
// Lane masks at their edges: only the first, only the last, every second, no lane, and all lanes take a branch.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint x = inputs[gl_GlobalInvocationID.x];
  uint r = 0;
  if (lane == 0) r += 1;
  if (lane == 63) r += 2;
  if (lane == 31 || lane == 32) r += 4;
  if ((lane & 1) == 0) r += 8;
  if (lane > 1000) r += 16;
  if (lane < 1000) r += 32;
  if (x > 2000000) r += 64;    // no lane, but nobody can know
  if (x <= 2000000) r += 128;  // all lanes
  for (uint n = 0; n < lane % 33; ++n) {
    if (n + 1 == lane % 33) r += 256;
    if (n == lane) break;
  }
  uint value = 5;
  if (lane >= 32) {
    value = x;
    if (lane == 40) value = 9;
  }
  results[gl_GlobalInvocationID.x] = r * 4096 + (value & 4095);
}
