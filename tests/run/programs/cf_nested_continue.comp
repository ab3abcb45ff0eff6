// SPDX-License-Identifier: MIT
// continue in nested for loops with steps that have effects, below branches and switches.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  uint r = x;
  for (uint a = 0; a < 5; r += a++) {
    if (((x >> a) & 1) != 0) {
      if ((r & 2) != 0) continue;
      r ^= 3;
    } else {
      for (uint b = 0; b < 4; ++b, r *= 3) {
        if (((r + b) & 3) == 1) continue;
        if (b == 3) break;
        switch ((x >> b) & 3) {
          case 1: continue;
          case 2: r += 5; break;
          case 3: if ((r & 8) != 0) continue; r += 9;
        }
        ++r;
      }
      if ((r & 16) != 0) continue;
    }
    r += 100;
  }
  results[i] = r;
}
