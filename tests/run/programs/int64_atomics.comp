// SPDX-License-Identifier: MIT
// Atomic operations on 64-bit integers in buffers and workgroup memory: those on memory that all share give a result that
// does not depend on the order, those on a word of each invocation's own return what was there.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[128]; };
layout(set = 0, binding = 1) buffer Counters { uint64_t counters[8]; int64_t signed_counters[4]; };
layout(set = 0, binding = 2) buffer Own { uint64_t own[128]; };
layout(set = 0, binding = 3) writeonly buffer Results { uint64_t rows[][128]; };

shared uint64_t group_counters[8];
shared int64_t group_signed[2];
shared uint64_t group_own[64];

void main() {
  uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;
  uint64_t x = inputs[i];
  atomicAdd(counters[0], x);
  atomicMin(counters[1], x);
  atomicMax(counters[2], x);
  atomicAnd(counters[3], x | 0xff00000000fful);
  atomicOr(counters[4], 1ul << (i & 63));
  atomicXor(counters[5], x);
  atomicMin(signed_counters[0], int64_t(x));
  atomicMax(signed_counters[1], int64_t(x));
  atomicAdd(signed_counters[2], -int64_t(x >> 3));

  // A sum by comparing and swapping.
  uint64_t seen = 0ul, assumed;
  do {
    assumed = seen;
    seen = atomicCompSwap(counters[6], assumed, assumed + x);
  } while (seen != assumed);
  // One of those that compare wins.
  uint64_t before = atomicCompSwap(counters[7], 0ul, 0x100000001ul);
  rows[0][i] = before & 0ul;

  rows[1][i] = atomicAdd(own[i], x);
  rows[2][i] = atomicExchange(own[i], x * 3ul);
  rows[3][i] = atomicCompSwap(own[i], x * 3ul, ~x);
  rows[4][i] = atomicCompSwap(own[i], x, 5ul);
  rows[5][i] = atomicMax(own[i], 0x8000000000000000ul) + atomicMin(own[i], x ^ 0xfffffffful);

  if (local < 8) group_counters[local] = local == 1 || local == 3 ? ~0ul : 0ul;
  if (local < 2) group_signed[local] = 0l;
  group_own[local] = x;
  barrier();
  atomicAdd(group_counters[0], x);
  atomicMin(group_counters[1], x);
  atomicMax(group_counters[2], x);
  atomicAnd(group_counters[3], x | 0xff00000000fful);
  atomicOr(group_counters[4], 1ul << (i & 63));
  atomicXor(group_counters[5], x);
  atomicMin(group_signed[0], int64_t(x));
  atomicMax(group_signed[1], int64_t(x));
  seen = 0ul;
  do {
    assumed = seen;
    seen = atomicCompSwap(group_counters[6], assumed, assumed + x);
  } while (seen != assumed);
  rows[6][i] = atomicAdd(group_own[local], x) + atomicExchange(group_own[local], 7ul);
  rows[7][i] = atomicCompSwap(group_own[local], 7ul, x) ^ atomicOr(group_own[local], 0xf00000000ul);
  rows[8][i] = atomicXor(group_own[local], ~0ul) + atomicMin(group_own[local], 1000ul);
  barrier();
  rows[9][i] = local < 7 ? group_counters[local] : local < 9 ? uint64_t(group_signed[local - 7]) : group_own[local ^ 1];
}
