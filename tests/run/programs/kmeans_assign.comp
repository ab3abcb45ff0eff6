// SPDX-License-Identifier: MIT
// k-means, step 1: the nearest centre of each point, and sums of coordinates in integers, so that their order is no matter.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Points { ivec2 points[]; };
layout(set = 0, binding = 1) readonly buffer Centres { ivec2 centres[8]; };
layout(set = 0, binding = 2) buffer Sums { ivec2 sums[8]; uint counts[8]; };
layout(set = 0, binding = 3) writeonly buffer Labels { uint labels[]; };

shared ivec2 near[8];

void main() {
  if (gl_LocalInvocationIndex < 8) near[gl_LocalInvocationIndex] = centres[gl_LocalInvocationIndex];
  barrier();
  ivec2 point = points[gl_GlobalInvocationID.x];
  uint best = 0;
  int best_distance = 0x7fffffff;
  for (uint k = 0; k < 8; ++k) {
    ivec2 d = point - near[k];
    int distance = d.x * d.x + d.y * d.y;
    if (distance < best_distance) {
      best_distance = distance;
      best = k;
    }
  }
  labels[gl_GlobalInvocationID.x] = best;
  atomicAdd(sums[best].x, point.x);
  atomicAdd(sums[best].y, point.y);
  atomicAdd(counts[best], 1u);
}
