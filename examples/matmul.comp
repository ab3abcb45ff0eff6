// SPDX-License-Identifier: MIT
// Product of two square matrices. Each workgroup computes an 8 x 8 tile of the result; it copies tiles of A and B into
// shared memory first, so that every element is read from memory once for each tile instead of once for each product.
//
//   spalt run examples/matmul.comp --dispatch 1,1,1 --push u32:2 --buffer 0:0=f32:1,2,3,4 --buffer 0:1=f32:5,6,7,8 --buffer 0:2=zeros:16 --print 0:2:f32
//
// prints 19, 22, 43, 50.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Size { uint n; };

shared float tile_a[8][8];
shared float tile_b[8][8];

void main() {
  uvec2 local = gl_LocalInvocationID.xy;
  uint column = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y;
  float sum = 0.0;
  for (uint start = 0; start < n; start += 8) {
    bool in_a = row < n && start + local.x < n;
    bool in_b = column < n && start + local.y < n;
    tile_a[local.y][local.x] = in_a ? a[row * n + start + local.x] : 0.0;
    tile_b[local.y][local.x] = in_b ? b[(start + local.y) * n + column] : 0.0;
    barrier();
    for (uint k = 0; k < 8; ++k) sum += tile_a[local.y][k] * tile_b[k][local.x];
    barrier();  // before the next round overwrites the tiles
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
