// SPDX-License-Identifier: MIT
// Sparse matrix (CSR) times vector, one row per invocation, rows of very different lengths.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer RowStarts { uint row_starts[]; };
layout(set = 0, binding = 1) readonly buffer Columns { uint columns[]; };
layout(set = 0, binding = 2) readonly buffer Values { float values[]; };
layout(set = 0, binding = 3) readonly buffer Vector { float x[]; };
layout(set = 0, binding = 4) writeonly buffer Product { float y[]; };

void main() {
  uint row = gl_GlobalInvocationID.x;
  if (row + 1 >= row_starts.length()) return;
  float sum = 0.0;
  for (uint i = row_starts[row]; i < row_starts[row + 1]; ++i) sum = fma(values[i], x[columns[i]], sum);
  y[row] = sum;
}
