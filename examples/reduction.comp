// SPDX-License-Identifier: MIT
// Sum of an array: each workgroup halves its values in shared memory until one is left, then adds it to the total.
//
//   spalt run examples/reduction.comp --dispatch 2,1,1 --buffer 0:0=f32:1,2,3,4,5 --buffer 0:1=zeros:4 --print 0:1:u32
//
// prints 15: the values are summed as integers, whose order of addition does not matter.
#version 450
layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer Input { float values[]; };
layout(set = 0, binding = 1) buffer Output { uint total; };

shared uint partial[128];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint i = gl_GlobalInvocationID.x;
  partial[lane] = i < values.length() ? uint(values[i]) : 0;
  barrier();
  for (uint width = 64; width > 0; width /= 2) {
    // Every invocation must reach the barrier, but only half of those that were busy before have something to add.
    if (lane < width) partial[lane] += partial[lane + width];
    barrier();
  }
  if (lane == 0) atomicAdd(total, partial[0]);
}
