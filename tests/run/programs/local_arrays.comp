// SPDX-License-Identifier: MIT
// Function and private variables with dynamic index: arrays, arrays of arrays, structures with arrays, vector components.
#version 450
layout(local_size_x = 64) in;

struct Cell {
  int value;
  ivec3 neighbours;
  int history[4];
};

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[64]; };
layout(set = 0, binding = 1) writeonly buffer Results { int rows[6][64]; };

int private_table[16];
int zero_table[5] = int[](3, 1, 4, 1, 5);
const int kPrimes[12] = int[](2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37);

void main() {
  uint i = gl_LocalInvocationID.x;
  uint x = inputs[i];
  for (int k = 0; k < 16; ++k) private_table[k] = int(x >> k) & 255;
  private_table[x & 15] += 1000;
  zero_table[x % 5] = int(i);
  int sum = 0;
  for (int k = 0; k < 16; k += 3) sum = sum * 7 + private_table[(k + int(i)) & 15];
  rows[0][i] = sum;
  rows[1][i] = zero_table[0] + 10 * zero_table[1] + 100 * zero_table[2] + 1000 * zero_table[3] + 10000 * zero_table[4];
  rows[2][i] = kPrimes[x % 12] * kPrimes[(x >> 8) % 12];

  int grid[3][4];
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) grid[r][c] = r * 10 + c;
  }
  grid[x % 3][(x >> 4) & 3] = 99;
  int copy[3][4] = grid;
  grid[(x >> 6) % 3] = copy[(x >> 9) % 3];
  rows[3][i] = grid[0][x & 3] + 100 * grid[1][(x >> 2) & 3] + 10000 * grid[2][(x >> 4) & 3];

  Cell cells[3];
  for (int k = 0; k < 3; ++k) cells[k] = Cell(k, ivec3(k, k + 1, k + 2), int[](k, -k, 2 * k, 3 * k));
  uint which = (x >> 11) % 3;
  cells[which].neighbours[(x >> 13) % 3] = 50;
  cells[which].history[(x >> 15) & 3] -= 17;
  Cell chosen = cells[(x >> 17) % 3];
  rows[4][i] = chosen.value + chosen.neighbours.x * 2 + chosen.neighbours.y * 3 + chosen.neighbours.z * 5 +
               chosen.history[0] * 7 + chosen.history[1] * 11 + chosen.history[2] * 13 + chosen.history[3] * 17;

  ivec4 vector = ivec4(1, 2, 3, 4);
  vector[x & 3] = int(i);
  mat3 m = mat3(1.0);
  m[x % 3][(x >> 3) % 3] = 8.0;
  vec3 column = m[(x >> 5) % 3];
  rows[5][i] = vector[(x >> 2) & 3] * 100 + int(column[(x >> 7) % 3]);
}
