// SPDX-License-Identifier: MIT
// Solves A x = b for a symmetric positive definite A of order 16 by a Cholesky factorization, one system per workgroup.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 0) readonly buffer Systems { float entries[]; };  // 16x16 random values each
layout(set = 0, binding = 1) readonly buffer RightSides { float right[]; };
layout(set = 0, binding = 2) writeonly buffer Factors { float factors[]; };
layout(set = 0, binding = 3) writeonly buffer Solutions { float solutions[]; };

shared float m[16][16];
shared float x[16];

void main() {
  uint row = gl_LocalInvocationID.y;
  uint column = gl_LocalInvocationID.x;
  uint base = gl_WorkGroupID.x * 256;
  // R transpose(R) plus a diagonal is positive definite and well conditioned.
  float sum = row == column ? 4.0 : 0.0;
  for (uint k = 0; k < 16; ++k) sum += entries[base + row * 16 + k] * entries[base + column * 16 + k];
  m[row][column] = sum;
  barrier();
  for (uint k = 0; k < 16; ++k) {
    if (row == k && column == k) m[k][k] = sqrt(m[k][k]);
    barrier();
    if (column == k && row > k) m[row][k] /= m[k][k];
    barrier();
    if (column > k && row >= column) m[row][column] -= m[row][k] * m[column][k];
    barrier();
  }
  if (row == 0) x[column] = right[gl_WorkGroupID.x * 16 + column];
  barrier();
  for (uint k = 0; k < 16; ++k) {
    if (row == 0 && column == k) x[k] /= m[k][k];
    barrier();
    if (row == 0 && column > k) x[column] -= m[column][k] * x[k];
    barrier();
  }
  for (int k = 15; k >= 0; --k) {
    if (row == 0 && int(column) == k) x[k] /= m[k][k];
    barrier();
    if (row == 0 && int(column) < k) x[column] -= m[k][column] * x[k];
    barrier();
  }
  factors[base + row * 16 + column] = row >= column ? m[row][column] : 0.0;
  if (row == 0) solutions[gl_WorkGroupID.x * 16 + column] = x[column];
}
