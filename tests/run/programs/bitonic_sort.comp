// SPDX-License-Identifier: MIT
// Bitonic sort of 1024 keys with their payload in shared memory.
#version 450
layout(local_size_x = 256) in;

layout(set = 0, binding = 0) buffer Keys { uint keys[]; };
layout(set = 0, binding = 1) buffer Values { uint values[]; };

shared uint key[1024];
shared uint value[1024];

void compare_exchange(uint low, uint high, bool ascending) {
  if ((key[low] > key[high]) == ascending) {
    uint k = key[low];
    key[low] = key[high];
    key[high] = k;
    uint v = value[low];
    value[low] = value[high];
    value[high] = v;
  }
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  for (uint i = lane; i < 1024; i += 256) {
    key[i] = keys[i];
    value[i] = values[i];
  }
  for (uint size = 2; size <= 1024; size <<= 1) {
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      barrier();
      for (uint pair = lane; pair < 512; pair += 256) {
        uint low = 2 * pair - (pair & (stride - 1));
        compare_exchange(low, low + stride, (low & size) == 0);
      }
    }
  }
  barrier();
  for (uint i = lane; i < 1024; i += 256) {
    keys[i] = key[i];
    values[i] = value[i];
  }
}
