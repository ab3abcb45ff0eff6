// SPDX-License-Identifier: MIT
// Radix sort, step 1: how often each 4-bit digit occurs in a block of 256 keys.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Keys { uint keys[]; } buffers[2];
layout(set = 0, binding = 1) buffer Counts { uint counts[]; };  // [digit][block]
layout(push_constant) uniform Pass { uint shift; uint source; uint blocks; };

shared uint histogram[16];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint block = gl_WorkGroupID.x;
  if (lane < 16) histogram[lane] = 0;
  barrier();
  for (uint i = 0; i < 4; ++i) {
    uint key = buffers[source].keys[block * 256 + i * 64 + lane];
    atomicAdd(histogram[(key >> shift) & 15], 1u);
  }
  barrier();
  if (lane < 16) counts[lane * blocks + block] = histogram[lane];
}
