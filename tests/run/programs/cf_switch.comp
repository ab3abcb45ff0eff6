// SPDX-License-Identifier: MIT
// Switch statements: fall-through, shared labels, default in the middle, no default, returns inside, nested.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint classify(uint x) {
  switch (x % 9) {
    case 0: return 100;
    case 1:
    case 2: return 200 + x;
    case 5: break;
    default: return 300;
    case 7: x += 3;  // fall through
    case 8: return 400 + x;
  }
  return 500;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  uint r = 0;
  switch (x & 7) {
    case 0: r += 1;  // fall through
    case 1: r += 2;  // fall through
    case 2: r += 4; break;
    case 3: r += 8; break;
    case 5: r += 16;  // fall through
    default: r += 32;  // fall through
    case 6: r += 64; break;
  }
  switch (int(x >> 3) % 5 - 2) {
    case -2: r = r * 3 + 1; break;
    case 0: if ((x & 32) != 0) break; r += 1000;  // fall through
    case 1: r ^= 0xf0; break;
  }
  switch (x >> 5) {
    case 3u: case 9u: case 27u:
      switch (x & 3) {
        case 0: r += 10000; break;
        case 1: r += 20000;  // fall through
        default: r += 40000;
      }
      r ^= 1;
      break;
    case 0xffffu: r = 0; break;
  }
  switch (r & 1) { default: r += 5; }
  results[i] = r * 1000 + classify(x);
}
