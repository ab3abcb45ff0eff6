// SPDX-License-Identifier: MIT
// Sum, minimum, maximum and xor of a long array: grid-stride loop, tree in shared memory, one atomic per workgroup.
#version 450
layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer Input { int values[]; };
layout(set = 0, binding = 1) buffer Result { int sum; int smallest; int largest; uint parity; };

struct Partial {
  int sum;
  int smallest;
  int largest;
  uint parity;
};

shared Partial partials[gl_WorkGroupSize.x];

Partial combine(Partial a, Partial b) {
  return Partial(a.sum + b.sum, min(a.smallest, b.smallest), max(a.largest, b.largest), a.parity ^ b.parity);
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  Partial own = Partial(0, 0x7fffffff, -0x7fffffff - 1, 0u);
  for (int i = int(gl_GlobalInvocationID.x); i < values.length(); i += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x)) {
    own = combine(own, Partial(values[i], values[i], values[i], uint(values[i])));
  }
  partials[lane] = own;
  for (uint width = gl_WorkGroupSize.x / 2; width > 0; width /= 2) {
    barrier();
    if (lane < width) partials[lane] = combine(partials[lane], partials[lane + width]);
  }
  if (lane == 0) {
    atomicAdd(sum, partials[0].sum);
    atomicMin(smallest, partials[0].smallest);
    atomicMax(largest, partials[0].largest);
    atomicXor(parity, partials[0].parity);
  }
}
