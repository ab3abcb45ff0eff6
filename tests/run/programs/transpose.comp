// SPDX-License-Identifier: MIT
// Matrix transpose through a padded tile, 8 rows of invocations for each 32x32 tile.
#version 450
layout(local_size_x = 32, local_size_y = 8) in;

layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Target { uint target[]; };
layout(push_constant) uniform Size { uvec2 size; };

shared uint tile[32][33];

void main() {
  uvec2 local = gl_LocalInvocationID.xy;
  uvec2 corner = gl_WorkGroupID.xy * 32;
  for (uint row = 0; row < 32; row += 8) {
    uvec2 at = corner + local + uvec2(0, row);
    if (all(lessThan(at, size))) tile[local.y + row][local.x] = source[at.y * size.x + at.x];
  }
  barrier();
  for (uint row = 0; row < 32; row += 8) {
    uvec2 at = corner.yx + local + uvec2(0, row);
    if (all(lessThan(at, size.yx))) target[at.y * size.y + at.x] = tile[local.x][local.y + row];
  }
}
