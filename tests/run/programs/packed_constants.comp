// SPDX-License-Identifier: MIT
// Arrays of constants of few bits, which are fields of a word or of two: integers, negative ones, floats that are integers,
// vectors, structures, and some that are close to what fits and do not: one bit too many, minus zero, a fraction.
#version 450
layout(local_size_x = 64) in;

struct Corner {
  vec2 place;
  int number;
  uint flags;
};

layout(push_constant, std430) uniform Push {
  uint first;
};
layout(set = 0, binding = 0, std430) readonly buffer Indices {
  uint indices[64];
};
layout(set = 0, binding = 1, std430) writeonly buffer Results {
  uint results[][17];
};

const uint corners[6] = uint[](0u, 1u, 2u, 2u, 1u, 3u);
const int around[9] = int[](-4, -3, -2, -1, 0, 1, 2, 3, 11);
const uint switches[33] = uint[](1u, 0u, 0u, 1u, 1u, 1u, 0u, 1u, 0u, 1u, 1u, 0u, 0u, 0u, 0u, 1u, 1u, 0u, 1u, 0u, 1u, 1u, 1u, 0u,
                                 0u, 1u, 0u, 0u, 1u, 1u, 0u, 1u, 1u);
const vec2 quad[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));
const float large[5] = float[](16777216.0, 16777215.0, 16777202.0, 16777210.0, 16777201.0);
const float minus_zero[5] = float[](0.0, -0.0, 1.0, 2.0, 3.0);
const float fraction[5] = float[](0.0, 0.5, 1.0, 2.0, 3.0);
const uint wide[5] = uint[](0u, 65536u, 1u, 2u, 3u);
const int ends[5] = int[](-2147483647 - 1, 2147483647, 0, 1, -1);
const int low_end[5] = int[](-2147483647 - 1, -2147483647, -2147483646, -2147483645, -2147483640);
const Corner shapes[5] = Corner[](Corner(vec2(0, 1), 7, 1u), Corner(vec2(1, 0), -8, 2u), Corner(vec2(1, 1), 5, 3u),
                                  Corner(vec2(3, 2), 0, 0u), Corner(vec2(2, 3), 6, 1u));

uint values(uint i, uint row) {
  switch (row) {
    case 0: return corners[i % 6];
    case 1: return uint(around[i % 9]);
    case 2: return switches[i % 33];
    case 3: return floatBitsToUint(quad[i % 6].x);
    case 4: return floatBitsToUint(quad[i % 6].y);
    case 5: return floatBitsToUint(large[i % 5]);
    case 6: return floatBitsToUint(minus_zero[i % 5]);
    case 7: return floatBitsToUint(fraction[i % 5]);
    case 8: return wide[i % 5];
    case 9: return uint(ends[i % 5]);
    case 10: return uint(low_end[i % 5]);
    case 11: return floatBitsToUint(shapes[i % 5].place.x);
    case 12: return floatBitsToUint(shapes[i % 5].place.y);
    case 13: return uint(shapes[i % 5].number);
    default: return shapes[i % 5].flags;
  }
}

void main() {
  uint at = gl_LocalInvocationIndex;
  for (uint row = 0; row < 15; ++row) results[at][row] = values(indices[at], row);
  results[at][15] = corners[first];
  results[at][16] = floatBitsToUint(quad[first].x);
}
