// SPDX-License-Identifier: MIT
// 2D convolution with a 5x5 kernel and four output channels, zero padding, kernel from a uniform block of matrices.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) readonly buffer Input { float pixels[]; };
layout(set = 0, binding = 1, std140) uniform Kernel { vec4 weights[5][5]; vec4 bias; };
layout(set = 1, binding = 0) writeonly buffer Output { vec4 channels[]; };

const ivec2 kSize = ivec2(40, 24);

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec4 sum = bias;
  for (int ky = 0; ky < 5; ++ky) {
    for (int kx = 0; kx < 5; ++kx) {
      ivec2 from = at + ivec2(kx, ky) - 2;
      if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, kSize))) continue;
      sum += weights[ky][kx] * pixels[from.y * kSize.x + from.x];
    }
  }
  channels[at.y * kSize.x + at.x] = max(sum, vec4(0.0));
}
