// SPDX-License-Identifier: MIT
// Mandelbrot set in fixed point with 24 fraction bits: 64-bit products from imulExtended.
#version 450
layout(local_size_x = 32, local_size_y = 2) in;

layout(set = 0, binding = 0) writeonly buffer Image { uint image[]; };
layout(push_constant) uniform View { ivec2 corner; int pixel; uint width; uint limit; };

int multiply(int a, int b) {
  int high, low;
  imulExtended(a, b, high, low);
  return (high << 8) | int(uint(low) >> 24);
}

void main() {
  ivec2 c = corner + ivec2(gl_GlobalInvocationID.xy) * pixel;
  ivec2 z = ivec2(0);
  uint n = 0;
  do {
    int x2 = multiply(z.x, z.x);
    int y2 = multiply(z.y, z.y);
    if (uint(x2) + uint(y2) > 4u << 24) break;
    z = ivec2(x2 - y2, 2 * multiply(z.x, z.y)) + c;
  } while (++n < limit);
  image[gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x] = n;
}
