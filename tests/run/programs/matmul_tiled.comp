// SPDX-License-Identifier: MIT
// C = A * B with 16x16 tiles in shared memory; the sizes come from push constants.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 0, std430) readonly buffer MatrixA { float a[]; };
layout(set = 0, binding = 1, std430) readonly buffer MatrixB { float b[]; };
layout(set = 0, binding = 2, std430) writeonly buffer MatrixC { float c[]; };
layout(push_constant) uniform Size { uint rows, inner, columns; };

shared float tileA[16][16];
shared float tileB[16][17];

void main() {
  uvec2 local = gl_LocalInvocationID.xy;
  uint row = gl_GlobalInvocationID.y;
  uint column = gl_GlobalInvocationID.x;
  float sum = 0.0;
  for (uint start = 0; start < inner; start += 16) {
    uint ka = start + local.x;
    uint kb = start + local.y;
    tileA[local.y][local.x] = (row < rows && ka < inner) ? a[row * inner + ka] : 0.0;
    tileB[local.y][local.x] = (column < columns && kb < inner) ? b[kb * columns + column] : 0.0;
    barrier();
    for (uint k = 0; k < 16; ++k) sum += tileA[local.y][k] * tileB[k][local.x];
    barrier();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}
