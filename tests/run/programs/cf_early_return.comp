// SPDX-License-Identifier: MIT
// Early returns out of nested loops and branches, in main and in a function, with writes on every path.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint search(uint key, out uint steps) {
  steps = 0;
  for (uint row = 0; row < 6; ++row) {
    if (row == (key & 7)) return row | 0x100;
    for (uint column = 0; column < 6; ++column) {
      ++steps;
      if (row * column == key % 31) {
        if ((key & 32) != 0) return row * 16 + column;
        steps += 100;
      }
      while (steps % 7 == 3) {
        steps += 2;
        if ((steps & 64) != 0) return 0x200;
      }
    }
  }
  return 0x300;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  if (x % 11 == 0) {
    results[i] = 1;
    return;
  }
  uint steps;
  uint found = search(x, steps);
  if (found >= 0x200) {
    for (uint n = 0;; ++n) {
      if (n * n > x) {
        results[i] = n * 1000 + steps;
        return;
      }
      if (((x >> (n & 7)) & 5) == 5) return;
    }
  }
  results[i] = found * 1000 + steps;
}
