// SPDX-License-Identifier: MIT
// Solves a 5x5 system in every invocation: LU with partial pivoting on a private, dynamically indexed matrix.
#version 450
layout(local_size_x = 64) in;

const int N = 5;

layout(set = 0, binding = 0) readonly buffer Systems { float entries[]; };
layout(set = 0, binding = 1) writeonly buffer Solutions { float solutions[]; };
layout(set = 0, binding = 2) writeonly buffer Pivots { uint pivots[]; };

bool factor(inout float m[N][N], out int order[N]) {
  for (int i = 0; i < N; ++i) order[i] = i;
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i) {
      if (abs(m[order[i]][k]) > abs(m[order[pivot]][k])) pivot = i;
    }
    int swapped = order[k];
    order[k] = order[pivot];
    order[pivot] = swapped;
    float diagonal = m[order[k]][k];
    if (diagonal == 0.0) return false;
    for (int i = k + 1; i < N; ++i) {
      float ratio = m[order[i]][k] / diagonal;
      m[order[i]][k] = ratio;
      for (int j = k + 1; j < N; ++j) m[order[i]][j] -= ratio * m[order[k]][j];
    }
  }
  return true;
}

void main() {
  uint index = gl_GlobalInvocationID.x;
  float m[N][N];
  float right[N];
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) m[i][j] = entries[index * 30 + i * 6 + j];
    // A large entry in a different column of each row keeps the system well conditioned and makes pivoting happen.
    m[i][(i * 2 + int(index)) % N] += 6.0 + float(i);
    right[i] = entries[index * 30 + i * 6 + 5];
  }
  int order[N];
  if (!factor(m, order)) return;
  float y[N];
  for (int i = 0; i < N; ++i) {
    y[i] = right[order[i]];
    for (int j = 0; j < i; ++j) y[i] -= m[order[i]][j] * y[j];
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int j = i + 1; j < N; ++j) y[i] -= m[order[i]][j] * y[j];
    y[i] /= m[order[i]][i];
  }
  uint packed_order = 0;
  for (int i = 0; i < N; ++i) {
    solutions[index * N + i] = y[i];
    packed_order |= uint(order[i]) << (4 * i);
  }
  pivots[index] = packed_order;
}
