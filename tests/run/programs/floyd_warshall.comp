// SPDX-License-Identifier: MIT
// All shortest paths of a graph of 32 nodes, one workgroup, the distance matrix in shared memory.
#version 450
layout(local_size_x = 32, local_size_y = 8) in;

layout(set = 0, binding = 0) buffer Distances { uint distances[32][32]; };

shared uint matrix[32][32];

void main() {
  uint x = gl_LocalInvocationID.x;
  for (uint y = gl_LocalInvocationID.y; y < 32; y += 8) {
    uint edge = distances[y][x];
    // Seven of eight edges do not exist.
    matrix[y][x] = x == y ? 0 : (edge % 8 == 0 ? edge / 8 : 0x3fffffffu);
  }
  barrier();
  for (uint via = 0; via < 32; ++via) {
    uint shorter[4];
    for (uint i = 0; i < 4; ++i) {
      uint y = gl_LocalInvocationID.y + i * 8;
      shorter[i] = min(matrix[y][x], matrix[y][via] + matrix[via][x]);
    }
    barrier();
    for (uint i = 0; i < 4; ++i) matrix[gl_LocalInvocationID.y + i * 8][x] = shorter[i];
    barrier();
  }
  for (uint y = gl_LocalInvocationID.y; y < 32; y += 8) distances[y][x] = matrix[y][x];
}
