// SPDX-License-Identifier: MIT
// Short-circuit && and || with side effects on the right, in conditions of if, while and ?:.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint calls = 0;

bool probe(uint value, uint bit) {
  calls += bit + 1;
  return ((value >> bit) & 1) != 0;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  uint r = 0;
  if (probe(x, 0) && probe(x, 1)) r |= 1;
  if (probe(x, 2) || probe(x, 3)) r |= 2;
  if ((probe(x, 4) && !probe(x, 5)) || (probe(x, 6) && (probe(x, 7) || probe(x, 0)))) r |= 4;
  bool odd = probe(x, 1) ^^ probe(x, 2);
  r |= odd ? 8 : 0;
  uint n = 0;
  while (n < 6 && (probe(x, n) || probe(x, 7 - n))) ++n;
  r |= (probe(x, 3) ? (probe(x, 4) && probe(x, 5)) : (probe(x, 6) || probe(x, 7))) ? 16 : 0;
  uint divisor = x & 7;
  if (divisor != 0 && 100 / divisor > 20) r |= 32;
  for (uint k = 0; k < 8 && !(probe(x, k) && k > 3); ++k) r += 64;
  results[i] = r + n * 4096 + calls * 65536;
}
