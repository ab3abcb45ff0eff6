// SPDX-License-Identifier: MIT
// If and else nested five deep, some branches empty, some only on one side.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  uint r = 1;
  if ((x & 1) != 0) {
    r += 2;
    if ((x & 2) != 0) {
      if ((x & 4) != 0) {
        r *= 3;
      } else if ((x & 8) != 0) {
        r *= 5;
        if ((x & 16) == 0) {
        } else {
          r ^= 0x55;
        }
      } else {
        if ((x & 32) != 0) r -= 7;
      }
      r += 11;
    } else {
      if ((x & 64) != 0) {
        r = r * 13 + x;
        if ((x & 128) != 0) {
          r ^= 0xff00;
          if ((x & 256) != 0) r = ~r;
        }
      }
    }
    r += 17;
  } else if ((x & 512) != 0) {
    r = x > 1000 ? r + 19 : r + 23;
  }
  if (x == 77 || r == 77) r = 0;
  results[i] = r;
}
