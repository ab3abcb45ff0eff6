// SPDX-License-Identifier: MIT
// Length of the Collatz sequence: a loop whose trip count differs in every invocation.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Lengths { uint lengths[]; };

void main() {
  uint n = gl_GlobalInvocationID.x + 1;
  uint steps = 0;
  while (n != 1) {
    n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  }
  lengths[gl_GlobalInvocationID.x] = steps;
}
