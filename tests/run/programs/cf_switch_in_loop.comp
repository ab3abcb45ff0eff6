// SPDX-License-Identifier: MIT
// A switch in a loop whose cases continue the loop, break the switch, break the loop by flag, or return.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  uint r = 0;
  bool leave = false;
  for (uint n = 0; n < 24; ++n) {
    switch (x & 7) {
      case 0:
        r += n;
        x = x * 5 + 3;
        continue;
      case 1:
        x ^= n;  // fall through
      case 2:
        r ^= x;
        break;
      case 3:
        if ((x & 64) != 0) {
          results[i] = r ^ 0xabcd;
          return;
        }
        x >>= 1;
        continue;
      case 4:
        leave = (x & 256) != 0;
        break;
      case 5:
        for (uint k = 0; k < 3; ++k) {
          if (((x >> k) & 1) == 0) continue;
          if (k == 2) break;
          r += k + 1;
        }
        x += 7;
        break;
      default:
        if (n > 20) break;
        x = (x << 1) | (x >> 9 & 1);
        continue;
    }
    r = r * 3 + 1;
    if (leave) break;
    x = x * 1103515245u + 12345u;
    x = x >> 8;
  }
  results[i] = r + x;
}
