// SPDX-License-Identifier: MIT
// Loops with several exits in head, body and continue part: for, while, do-while, endless.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  uint a = 0;
  while (a < 40) {
    a += 3;
    if (((x + a) & 13) == 13) break;
    if ((a ^ x) % 7 == 2) {
      a += 100;
      break;
    }
    x += a;
  }
  uint b = 0;
  do {
    b += x & 3;
    if (b > 20) break;
    if ((b & 4) != 0) {
      b += 3;
      continue;
    }
    x = (x >> 1) | (x << 31);
    ++b;
  } while ((x & 0xf) != 6 && b < 50);
  uint c = x;
  for (;;) {
    if (c < 100) break;
    if (c % 3 == 0) {
      c /= 3;
      continue;
    }
    if (c % 5 == 4) {
      c -= 4;
      break;
    }
    c = c / 2 - 1;
  }
  uint d = 0;
  for (uint n = x & 31; n-- > 0 && d < 1000; d += n) {
    if (d % 10 == 9) n = n / 2;
  }
  do { d ^= 1; } while (false);
  while (true) {
    d += 7;
    if (d % 3 == 0) break;
  }
  results[4 * i] = a;
  results[4 * i + 1] = b;
  results[4 * i + 2] = c;
  results[4 * i + 3] = d;
}
