// SPDX-License-Identifier: MIT
// What descriptor_arrays_non_uniform does, without NonUniform: every descriptor in turn, for the invocations that want
// it. One reference serves both, and drivers without descriptor indexing can run this one.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Data { uint total; uint largest; uvec4 quad; uint values[]; } data[5];
layout(set = 0, binding = 1) readonly buffer Choices { uint choices[]; };
layout(set = 1, binding = 0) uniform Factors { uvec4 factor; uint table[8]; } factors[3];
layout(set = 1, binding = 1) writeonly buffer Results { uint results[]; };
layout(set = 2, binding = 0) buffer Slots { uint slot[128]; } slots[2];
layout(push_constant) uniform Bound { uint bound; };

#define ONE(d, count, index) for (uint d = 0u; d < count; ++d) if (d == (index))

uint value_of(uint which, uint at) {
  uint r = 0u;
  ONE(d, 5u, which) r = data[d].values[at];
  return r;
}

uvec4 quad_of(uint which) {
  uvec4 r = uvec4(0u);
  ONE(d, 5u, which) r = data[d].quad;
  return r;
}

uvec4 factor_of(uint which) {
  uvec4 r = uvec4(0u);
  ONE(d, 3u, which) r = factors[d].factor;
  return r;
}

void main() {
  uint i = gl_LocalInvocationID.x;
  uint at = gl_GlobalInvocationID.x;
  uint which = choices[at];
  uint other = (which + i) % 5u;

  uint r = quad_of(which).x * factor_of(which % 3u).y;
  r += value_of(other, i % 4u) + quad_of(other).z;
  ONE(d, 3u, i % 3u) r += factors[d].table[i % 8u];
  ONE(d, 5u, which) r += uint(data[d].values.length()) * 1000u;
  ONE(d, 5u, which) {
    atomicAdd(data[d].total, r & 0xffffu);
    atomicMax(data[d].largest, r);
  }
  ONE(d, 2u, which & 1u) slots[d].slot[at] = r;

  for (uint turn = 0u; turn < bound; ++turn) {
    uint next = (which + turn * (i | 1u)) % 5u;
    if (value_of(next, turn % 4u) % 7u == 0u) break;
    r = r * 5u + quad_of(next).w;
  }
  if (which > 2u) {
    r ^= factor_of(which - 2u).x;
  } else if (i % 3u == 1u) {
    uint stored = 0u;
    ONE(d, 2u, which & 1u) stored = slots[d].slot[at];
    r += stored;
  }
  r += (i & 1u) == 0u ? data[0].quad.y : 0u - data[3].quad.y;
  results[at] = r;
}
