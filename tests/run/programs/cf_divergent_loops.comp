// SPDX-License-Identifier: MIT
// Nested loops whose trip counts diverge, with values carried around and out of both.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  uint outer = x % 7;
  uint last = 0;
  uint sum = 0;
  uint previous = 1;
  uint current = 1;
  for (uint a = 0; a < outer; ++a) {
    uint inner = (x >> a) & 7;
    for (uint b = inner; b != 0; --b) {
      uint next = previous + current;  // values that swap places around the loop
      previous = current;
      current = next;
      last = a * 10 + b;
      if (((next + x) & 7) == 3) break;
    }
    sum += current ^ last;
    // A uniform loop inside of the divergent one.
    for (uint c = 0; c < 3; ++c) sum += c * (x & 1);
  }
  results[2 * i] = sum;
  results[2 * i + 1] = last * 65536 + (previous & 0xffff);
}
