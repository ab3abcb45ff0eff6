// SPDX-License-Identifier: MIT
// Every atomic on shared memory, with results that do not depend on the order; returned values are checked as sums.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[]; };
layout(set = 0, binding = 1) buffer Results { uint results[16]; };

shared uint total;
shared uint low;
shared uint high;
shared int signed_low;
shared int signed_high;
shared uint all_bits;
shared uint any_bits;
shared uint odd_bits;
shared uint lock_holder;
shared uint claimed[64];
shared uint exchanged;
shared uint returned;
shared uint counter;

void main() {
  uint i = gl_LocalInvocationID.x;
  uint x = inputs[gl_GlobalInvocationID.x];
  if (i == 0) {
    total = 0; low = ~0u; high = 0; signed_low = 0x7fffffff; signed_high = -0x7fffffff - 1;
    all_bits = ~0u; any_bits = 0; odd_bits = 0; exchanged = 1000; returned = 0; counter = 0; lock_holder = 0;
  }
  claimed[i] = 0;
  barrier();
  atomicAdd(total, x);
  atomicMin(low, x);
  atomicMax(high, x);
  atomicMin(signed_low, int(x));
  atomicMax(signed_high, int(x));
  atomicAnd(all_bits, x | (1u << (i & 31)));
  atomicOr(any_bits, x & 0x11111111u);
  atomicXor(odd_bits, x);
  // A ring of exchanges hands every value but the last one back once.
  atomicAdd(returned, atomicExchange(exchanged, i));
  // Each invocation claims the first free slot; which one is open, that all are claimed is not.
  uint slot = atomicAdd(counter, 1u);
  atomicCompSwap(claimed[slot], 0u, slot + 1);
  // Only the first to come gets the lock.
  uint winner = atomicCompSwap(lock_holder, 0u, i + 1) == 0 ? 1 : 0;
  barrier();
  if (i == 0) {
    atomicAdd(results[0], total);
    atomicMin(results[1], low);
    atomicMax(results[2], high);
    atomicXor(results[3], uint(signed_low) ^ uint(signed_high));
    atomicXor(results[4], all_bits);
    atomicOr(results[5], any_bits);
    atomicXor(results[6], odd_bits);
    atomicAdd(results[7], returned + exchanged);
    uint sum = 0;
    for (uint s = 0; s < 64; ++s) sum += claimed[s] * (s + 1);
    atomicAdd(results[8], sum);
  }
  atomicAdd(results[9], winner);
}
