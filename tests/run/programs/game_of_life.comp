// SPDX-License-Identifier: MIT
// Conway's game of life on a torus of 64x32 cells; a generation goes from one buffer to the other.
#version 450
layout(local_size_x = 16, local_size_y = 8) in;

layout(set = 0, binding = 0) buffer World { uint cells[32][64]; } worlds[2];
layout(push_constant) uniform Generation { uint from; };

shared uint tile[10][18];

void main() {
  ivec2 origin = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy) - 1;
  for (uint i = gl_LocalInvocationIndex; i < 180; i += 128) {
    ivec2 at = ivec2(i % 18, i / 18);
    ivec2 wrapped = (origin + at + ivec2(64, 32)) & ivec2(63, 31);
    tile[at.y][at.x] = worlds[from].cells[wrapped.y][wrapped.x] & 1u;
  }
  barrier();
  uvec2 local = gl_LocalInvocationID.xy;
  uint neighbours = 0;
  for (uint y = 0; y < 3; ++y) {
    for (uint x = 0; x < 3; ++x) {
      if (x == 1 && y == 1) continue;
      neighbours += tile[local.y + y][local.x + x];
    }
  }
  bool alive = tile[local.y + 1][local.x + 1] == 1;
  bool next = neighbours == 3 || (alive && neighbours == 2);
  worlds[1 - from].cells[gl_GlobalInvocationID.y][gl_GlobalInvocationID.x] = next ? 1 : 0;
}
