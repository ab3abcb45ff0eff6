// SPDX-License-Identifier: MIT
// Single-pass prefix sum with decoupled look-back: a workgroup takes a ticket, publishes its total, and walks back over
// its predecessors until it meets one whose inclusive prefix is known. The upper two bits of a status word are its state.
#version 450
layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer Input { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Output { uint result[]; };
layout(set = 0, binding = 2) coherent buffer State { uint ticket; uint status[]; };

const uint kTotal = 1u << 30;
const uint kPrefix = 2u << 30;
const uint kValueMask = kTotal - 1u;

shared uint block;
shared uint before;
shared uint sums[128];

uint look_back(uint index, uint total) {
  atomicExchange(status[index], (index == 0 ? kPrefix : kTotal) | total);
  uint sum = 0;
  uint at = index;
  while (at > 0) {
    uint word = atomicOr(status[at - 1], 0u);
    if (word < kTotal) continue;  // not published yet
    sum += word & kValueMask;
    if ((word & kPrefix) != 0) break;
    --at;
  }
  if (index != 0) atomicExchange(status[index], kPrefix | (sum + total));
  return sum;
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  if (lane == 0) block = atomicAdd(ticket, 1u);
  barrier();
  uint index = block * 128 + lane;
  uint value = source[index];
  sums[lane] = value;
  barrier();
  for (uint offset = 1; offset < 128; offset *= 2) {
    uint other = lane >= offset ? sums[lane - offset] : 0u;
    barrier();
    sums[lane] += other;
    barrier();
  }
  if (lane == 127) before = look_back(block, sums[127]);
  barrier();
  result[index] = before + sums[lane];
}
