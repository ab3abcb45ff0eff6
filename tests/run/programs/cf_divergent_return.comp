// SPDX-License-Identifier: MIT
// Some lanes return before, in and after a loop; the others go on without a barrier.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  if ((x & 3) == 0) return;
  results[i] = x;
  uint sum = 0;
  for (uint n = 0; n < 10; ++n) {
    if (((x >> n) & 3) == 2) {
      results[i] = sum + 1000;
      if (n > 5) return;
    }
    sum += n * x;
    if (sum > 30000) {
      results[i] = n;
      return;
    }
  }
  if ((x & 16) != 0) {
    results[i] = 12345;
    return;
  }
  results[i] = sum;
}
