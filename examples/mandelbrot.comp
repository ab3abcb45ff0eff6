// SPDX-License-Identifier: MIT
// The Mandelbrot set, 32 x 16 pixels: how many steps each point takes to escape. The loop count differs between
// neighbours, so lanes of one wave leave the loop at different times.
//
//   spalt run examples/mandelbrot.comp --dispatch 4,2,1 --buffer 0:0=zeros:2048 --spec 0=50 --print 0:0:u32
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint kMaxSteps = 100;

layout(set = 0, binding = 0) writeonly buffer Image { uint steps[]; };

void main() {
  uvec2 pixel = gl_GlobalInvocationID.xy;
  uvec2 size = gl_NumWorkGroups.xy * gl_WorkGroupSize.xy;
  vec2 c = vec2(-2.2, -1.2) + vec2(3.2, 2.4) * vec2(pixel) / vec2(size);
  vec2 z = vec2(0.0);
  uint n = 0;
  while (n < kMaxSteps && dot(z, z) <= 4.0) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    ++n;
  }
  steps[pixel.y * size.x + pixel.x] = n;
}
