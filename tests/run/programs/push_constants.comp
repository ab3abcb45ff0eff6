// SPDX-License-Identifier: MIT
// A push-constant block with nested structures, arrays and a matrix, some members dynamically indexed.
#version 450
layout(local_size_x = 16) in;

struct Entry {
  vec2 factor;
  ivec2 shift;
};

layout(push_constant, std430) uniform Push {
  uint base;
  layout(offset = 8) vec2 pair;
  layout(offset = 16) Entry entries[2];
  layout(offset = 48) mat2x3 matrix;
  layout(offset = 80) int table[8];
  layout(offset = 112) vec3 last;
  uint tail;
};

layout(set = 0, binding = 0) writeonly buffer Results { float results[16]; int ints[16]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  Entry entry = entries[i & 1];
  vec3 product = matrix * entry.factor;
  results[i] = pair.x + pair[i & 1] + product[i % 3] + last.z;
  ints[i] = int(base) + table[i & 7] + entry.shift.x * entry.shift.y + int(tail);
}
