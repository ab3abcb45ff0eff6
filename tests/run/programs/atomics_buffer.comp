// SPDX-License-Identifier: MIT
// Every atomic on a storage buffer, at constant, uniform and divergent places, with results that no order changes.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) coherent buffer Cells {
  uint sums[8];
  int lows[8];
  int highs[8];
  uint umins[8];
  uint umaxs[8];
  uint ands[8];
  uint ors[8];
  uint xors[8];
  uint exchanged;
  uint returned;
  uint tickets;
  uint ticket_sum;
  uint locked;
  uint guarded;
  uint wraps;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = inputs[i];
  uint cell = x & 7;
  atomicAdd(sums[cell], x >> 3);
  atomicMin(lows[cell], int(x));
  atomicMax(highs[cell], int(x));
  atomicMin(umins[gl_WorkGroupID.x], x);
  atomicMax(umaxs[gl_WorkGroupID.x], x);
  atomicAnd(ands[cell], x);
  atomicOr(ors[cell], x & 0x01010101u);
  atomicXor(xors[0], x);
  atomicAdd(returned, atomicExchange(exchanged, i));
  atomicAdd(ticket_sum, atomicAdd(tickets, 1u));
  // A compare-and-swap loop: multiply-free addition of squares.
  uint seen = atomicAdd(guarded, 0u);
  for (int attempt = 0; attempt < 100000; ++attempt) {
    uint before = atomicCompSwap(guarded, seen, seen + x % 97 * (x % 97));
    if (before == seen) break;
    seen = before;
  }
  if ((i & 3) == 1) atomicAdd(wraps, 0xffffffffu);
}
