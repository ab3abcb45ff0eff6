// SPDX-License-Identifier: MIT
// Jacobi iteration of the heat equation in 3D with fixed borders, two buffers in an array, chosen by push constant.
#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(set = 0, binding = 0) buffer Grid { float t[16][16][16]; } grids[2];
layout(push_constant) uniform Step { int from; float rate; };

void main() {
  uvec3 p = gl_GlobalInvocationID;
  float centre = grids[from].t[p.z][p.y][p.x];
  float result = centre;
  bool border = any(equal(p, uvec3(0))) || any(equal(p, uvec3(15)));
  if (!border) {
    float sum = grids[from].t[p.z - 1][p.y][p.x] + grids[from].t[p.z + 1][p.y][p.x] +
                grids[from].t[p.z][p.y - 1][p.x] + grids[from].t[p.z][p.y + 1][p.x] +
                grids[from].t[p.z][p.y][p.x - 1] + grids[from].t[p.z][p.y][p.x + 1];
    result = centre + rate * (sum - 6.0 * centre);
  }
  grids[1 - from].t[p.z][p.y][p.x] = result;
}
