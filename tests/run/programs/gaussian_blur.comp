// SPDX-License-Identifier: MIT
// One direction of a separable Gaussian blur of RGBA pixels, with a halo in shared memory. The direction is a
// specialization constant, so the same module makes both pipelines.
#version 450
layout(constant_id = 0) const bool kVertical = false;
layout(constant_id = 1) const int kRadius = 2;
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Source { vec4 source[]; };
layout(set = 0, binding = 1) writeonly buffer Target { vec4 target[]; };
layout(set = 0, binding = 2) uniform Kernel { vec4 weights[4]; };
layout(push_constant) uniform Size { ivec2 size; };
layout(set = 0, binding = 3) buffer Between { vec4 between[]; };

shared vec4 line[64 + 16];

vec4 fetch(int along, int across) {
  ivec2 at = kVertical ? ivec2(across, along) : ivec2(along, across);
  at = clamp(at, ivec2(0), size - 1);
  int index = at.y * size.x + at.x;
  return kVertical ? between[index] : source[index];
}

void main() {
  int lane = int(gl_LocalInvocationID.x);
  int start = int(gl_WorkGroupID.x) * 64;
  int across = int(gl_WorkGroupID.y);
  for (int i = lane; i < 64 + 2 * kRadius; i += 64) line[i] = fetch(start + i - kRadius, across);
  barrier();
  vec4 sum = line[lane + kRadius] * weights[0].x;
  for (int i = 1; i <= kRadius; ++i) {
    sum += (line[lane + kRadius - i] + line[lane + kRadius + i]) * weights[i / 4][i % 4];
  }
  int along = start + lane;
  if (along >= (kVertical ? size.y : size.x)) return;
  int index = kVertical ? along * size.x + across : across * size.x + along;
  if (kVertical) target[index] = sum; else between[index] = sum;
}
