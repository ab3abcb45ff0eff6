// SPDX-License-Identifier: MIT
// Radix sort, step 3: stable scatter. Each invocation owns four neighbouring keys; a table of digit counts by invocation,
// scanned over the whole workgroup, gives each its places.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Keys { uint keys[]; } buffers[2];
layout(set = 0, binding = 1) readonly buffer Counts { uint counts[]; };  // [digit][block], scanned
layout(push_constant) uniform Pass { uint shift; uint source; uint blocks; };

shared uint table[16 * 64];  // [digit][invocation]
shared uint partial[64];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint base = gl_WorkGroupID.x * 256 + lane * 4;
  uint key[4];
  for (uint digit = 0; digit < 16; ++digit) table[digit * 64 + lane] = 0;
  for (uint i = 0; i < 4; ++i) {
    key[i] = buffers[source].keys[base + i];
    table[((key[i] >> shift) & 15) * 64 + lane] += 1;
  }
  barrier();
  // Exclusive scan of the table: 16 entries in a row per invocation, then the 64 partial sums.
  uint sum = 0;
  for (uint i = 0; i < 16; ++i) {
    uint count = table[lane * 16 + i];
    table[lane * 16 + i] = sum;
    sum += count;
  }
  partial[lane] = sum;
  barrier();
  for (uint offset = 1; offset < 64; offset *= 2) {
    uint other = lane >= offset ? partial[lane - offset] : 0u;
    barrier();
    partial[lane] += other;
    barrier();
  }
  uint before = partial[lane] - sum;
  for (uint i = 0; i < 16; ++i) table[lane * 16 + i] += before;
  barrier();
  for (uint i = 0; i < 4; ++i) {
    uint digit = (key[i] >> shift) & 15;
    uint rank = table[digit * 64 + lane] - table[digit * 64];
    table[digit * 64 + lane] += lane == 0 ? 0 : 1;
    // Invocation 0 holds the start of its digit, so it counts its own keys instead of moving the start.
    if (lane == 0) {
      for (uint j = 0; j < i; ++j) rank += ((key[j] >> shift) & 15) == digit ? 1 : 0;
    }
    buffers[1 - source].keys[counts[digit * blocks + gl_WorkGroupID.x] + rank] = key[i];
  }
}
