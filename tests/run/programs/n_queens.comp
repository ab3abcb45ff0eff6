// SPDX-License-Identifier: MIT
// Solutions of the 8 queens problem by backtracking with an explicit stack; an invocation fixes the first two rows.
#version 450
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint kSize = 8;

layout(set = 0, binding = 0) buffer Solutions { uint total; uint by_start[]; };

struct Level {
  uint free;
  uint columns;
  uint left;
  uint right;
};

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index >= kSize * kSize) return;
  uint first = 1u << (index / kSize);
  uint second = 1u << (index % kSize);
  uint all = (1u << kSize) - 1;
  uint columns = first;
  uint left = (first << 1) & all;
  uint right = first >> 1;
  uint solutions = 0;
  if ((second & (columns | left | right)) == 0) {
    Level stack[16];
    int depth = 0;
    columns |= second;
    left = ((left | second) << 1) & all;
    right = (right | second) >> 1;
    stack[0] = Level(all & ~(columns | left | right), columns, left, right);
    while (depth >= 0) {
      Level level = stack[depth];
      if (level.free == 0) {
        --depth;
        continue;
      }
      uint queen = level.free & -level.free;
      stack[depth].free ^= queen;
      uint next_columns = level.columns | queen;
      if (next_columns == all) {
        ++solutions;
        continue;
      }
      uint next_left = ((level.left | queen) << 1) & all;
      uint next_right = (level.right | queen) >> 1;
      ++depth;
      stack[depth] = Level(all & ~(next_columns | next_left | next_right), next_columns, next_left, next_right);
    }
  }
  by_start[index] = solutions;
  atomicAdd(total, solutions);
}
