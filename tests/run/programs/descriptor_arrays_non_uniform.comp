// SPDX-License-Identifier: MIT
// Arrays of storage and uniform blocks with an index that differs between invocations: loads, stores, atomics, lengths,
// in branches and loops; and an index that is the same only among the invocations of its branch.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Data { uint total; uint largest; uvec4 quad; uint values[]; } data[5];
layout(set = 0, binding = 1) readonly buffer Choices { uint choices[]; };
layout(set = 1, binding = 0) uniform Factors { uvec4 factor; uint table[8]; } factors[3];
layout(set = 1, binding = 1) writeonly buffer Results { uint results[]; };
layout(set = 2, binding = 0) buffer Slots { uint slot[128]; } slots[];
layout(push_constant) uniform Bound { uint bound; };

uint sum_of(uint which, uint i) {
  return data[nonuniformEXT(which)].values[i % 4u] + data[nonuniformEXT(which)].quad.z;
}

void main() {
  uint i = gl_LocalInvocationID.x;
  uint at = gl_GlobalInvocationID.x;
  uint which = choices[at];

  // Loads of both kinds, with a uniform and with a divergent place in the buffer.
  uint r = data[nonuniformEXT(which)].quad.x * factors[nonuniformEXT(which % 3u)].factor.y;
  r += sum_of((which + i) % 5u, i) + factors[nonuniformEXT(i % 3u)].table[i % 8u];
  r += uint(data[nonuniformEXT(which)].values.length()) * 1000u;

  // Atomics whose order does not matter, and stores to places that each invocation has for itself.
  atomicAdd(data[nonuniformEXT(which)].total, r & 0xffffu);
  atomicMax(data[nonuniformEXT(which)].largest, r);
  slots[nonuniformEXT(which & 1u)].slot[at] = r;

  // A loop with several turns, left by divergent break, with another buffer in every turn.
  for (uint turn = 0u; turn < bound; ++turn) {
    uint next = (which + turn * (i | 1u)) % 5u;
    if (data[nonuniformEXT(next)].values[turn % 4u] % 7u == 0u) break;
    r = r * 5u + data[nonuniformEXT(next)].quad.w;
  }
  if (which > 2u) {
    r ^= factors[nonuniformEXT(which - 2u)].factor.x;
  } else if (i % 3u == 1u) {
    r += slots[nonuniformEXT(which & 1u)].slot[at];
  }

  // Dynamically uniform where it is used, not where it is computed.
  uint parity = i & 1u;
  if (parity == 0u) {
    r += data[parity].quad.y;
  } else {
    r -= data[parity + 2u].quad.y;
  }
  results[at] = r;
}
