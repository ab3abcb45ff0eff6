// SPDX-License-Identifier: MIT
// Workgroup memory that starts as zero: by several invocations with a rest, by one in a loop, and beside memory that does not.
#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x_id = 0) in;

struct Entry { vec3 direction; uint hits; bool seen; };

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint first; };

shared uint counts[300] = {};
shared uint scratch[64];
shared Entry entries[5] = {};
shared uint total = {};

void main() {
  uint i = gl_LocalInvocationIndex, n = gl_WorkGroupSize.x, group = gl_WorkGroupID.x;
  // What another invocation has zeroed is read before any barrier of the shader.
  uint found = total;
  for (uint k = i; k < 300u; k += n) found |= counts[299u - k];
  for (uint k = i; k < 5u; k += n) {
    found |= floatBitsToUint(entries[4u - k].direction.z) | entries[4u - k].hits | uint(entries[4u - k].seen);
  }
  scratch[i] = found;
  barrier();
  for (uint k = i; k < 256u; k += n) {
    uint word = words[group * 256u + k];
    atomicAdd(counts[word % 300u], 1u);
    atomicAdd(entries[word % 5u].hits, word >> 24);
    atomicMax(total, word);
  }
  barrier();
  uint begin = first + group * 306u;
  for (uint k = i; k < 300u; k += n) results[begin + k] = counts[k] + scratch[k % n];
  for (uint k = i; k < 5u; k += n) results[begin + 300u + k] = entries[k].hits;
  if (i == 0u) results[begin + 305u] = total;
}
