// SPDX-License-Identifier: MIT
// Mandelbrot set in binary32. The arithmetic is `precise`: add, subtract and multiply are correctly rounded and may not be
// contracted, so that the iteration counts are the same everywhere although the iteration is chaotic.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) writeonly buffer Image { uint image[]; };
layout(push_constant) uniform View { vec2 corner; float pixel; uint width; uint limit; };

void main() {
  precise vec2 c = corner + vec2(gl_GlobalInvocationID.xy) * pixel;
  precise vec2 z = vec2(0.0);
  uint n = 0;
  for (; n < limit; ++n) {
    precise float x2 = z.x * z.x;
    precise float y2 = z.y * z.y;
    precise float size = x2 + y2;
    if (size > 4.0) break;
    precise float xy = z.x * z.y;
    precise vec2 next = vec2(x2 - y2, xy + xy) + c;
    z = next;
  }
  image[gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x] = n;
}
