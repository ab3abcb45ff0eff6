// SPDX-License-Identifier: MIT
// Histogram of bytes: counts in shared memory by atomics, then adds to the global bins.
#version 450
layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer Pixels { uint pixels[]; };  // four bytes each
layout(set = 0, binding = 1) buffer Bins { uint bins[]; };

shared uint local_bins[256];

void main() {
  uint lane = gl_LocalInvocationIndex;
  local_bins[lane] = 0;
  local_bins[lane + 128] = 0;
  barrier();
  uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = gl_GlobalInvocationID.x; i < pixels.length(); i += stride) {
    uint word = pixels[i];
    atomicAdd(local_bins[word & 255], 1u);
    atomicAdd(local_bins[(word >> 8) & 255], 1u);
    atomicAdd(local_bins[(word >> 16) & 255], 1u);
    atomicAdd(local_bins[word >> 24], 1u);
  }
  barrier();
  for (uint bin = lane; bin < 256; bin += 128) {
    if (local_bins[bin] != 0) atomicAdd(bins[bin], local_bins[bin]);
  }
}
