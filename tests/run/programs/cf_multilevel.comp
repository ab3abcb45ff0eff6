// SPDX-License-Identifier: MIT
// Breaks and continues over several loops, written with flags and with a function return.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint first_pair(uint x) {
  for (uint a = 1; a < 12; ++a) {
    for (uint b = a; b < 12; ++b) {
      if (b == 11 && a > 8) break;
      for (uint c = 0; c < 4; ++c) {
        if (a * a + b * b + c == x) return a * 10000 + b * 100 + c;
        if (c == 2 && ((a ^ b) & 1) != 0) break;
      }
    }
  }
  return 0;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i] & 255;
  uint r = 0;
  bool done = false;
  for (uint a = 0; a < 8 && !done; ++a) {
    bool next_outer = false;
    for (uint b = 0; b < 8; ++b) {
      uint product = a * b + (x & 7);
      if (product == x) {
        done = true;
        break;
      }
      if (((product + x) & 15) == 15) {
        next_outer = true;
        break;
      }
      if ((product & 1) == 0) continue;
      r += product;
    }
    if (next_outer) continue;
    r = r * 2 + 1;
  }
  results[2 * i] = r;
  results[2 * i + 1] = first_pair(x);
}
