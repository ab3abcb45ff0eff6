// SPDX-License-Identifier: MIT
// k-means, step 2: move the centres and clear the sums.
#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 1) buffer Centres { ivec2 centres[8]; };
layout(set = 0, binding = 2) buffer Sums { ivec2 sums[8]; uint counts[8]; };

void main() {
  uint k = gl_LocalInvocationIndex;
  if (counts[k] != 0) centres[k] = sums[k] / int(counts[k]);
  sums[k] = ivec2(0);
  counts[k] = 0;
}
