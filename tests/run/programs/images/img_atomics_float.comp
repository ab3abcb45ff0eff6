// SPDX-License-Identifier: MIT
// Atomic operations on floats of images and texel buffers, with results that do not depend on the order.
#version 450
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32f) uniform image2D sums;
layout(binding = 1, r32f) uniform image2DArray planes;
layout(binding = 2, r32f) uniform image2D own;
layout(binding = 3, r32f) uniform imageBuffer cells;
layout(binding = 4, std430) writeonly buffer Result { float result[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  int i = at.y * 16 + at.x;
  float number = float(i * 37 % 256 - 100) / 4;
  imageAtomicAdd(sums, at / 4, number);
  imageAtomicMin(planes, ivec3(at / 8, 0), number);
  imageAtomicMax(planes, ivec3(at / 8, 1), number);
  imageAtomicAdd(cells, i % 5, number);
  imageAtomicMin(cells, 5 + i % 5, number);
  imageAtomicMax(cells, 10 + i % 5, number);
  float first = imageAtomicAdd(own, at, number);
  float second = imageAtomicMin(own, at, 1.5);
  result[i] = first + 2 * second + 4 * imageAtomicMax(own, at, -2.5);
  // Outside: nothing there, and an end.
  imageAtomicAdd(sums, at + 100, number);
  imageAtomicMin(cells, 1000 + i, number);
}
