// SPDX-License-Identifier: MIT
// Constructs whose merge block cannot be reached, because every way through them returns or loops.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) buffer Results { uint results[]; };

uint both_return(uint x) {
  if (x > 500) {
    return x * 2;
  } else {
    return x + 1;
  }
}

uint switch_returns(uint x) {
  switch (x & 3) {
    case 0: return 5;
    case 1: return x;
    case 2: return x ^ 9;
    default: return 77;
  }
}

uint loop_returns(uint x) {
  for (;;) {
    if ((x & 1) != 0) return x;
    x = (x >> 1) | 0x1000;
  }
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  results[i] = both_return(x) + switch_returns(x) * 10000 + (loop_returns(x) & 15) * 1000000;
  if ((x & 8) != 0) {
    return;
  } else {
    results[i] += 1;
    return;
  }
}
