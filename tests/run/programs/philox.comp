// SPDX-License-Identifier: MIT
// Philox4x32-10, a counter-based generator (Salmon et al., 2011). The first three invocations compute published vectors,
// all others a stream by counter.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Vectors { uint vectors[]; };  // counter[4], key[2] for each
layout(set = 0, binding = 1) writeonly buffer Output { uint result[]; };
layout(push_constant) uniform Stream { uvec2 stream_key; uint vector_count; };

uvec4 philox(uvec4 counter, uvec2 key) {
  for (int round = 0; round < 10; ++round) {
    uint high0, low0, high1, low1;
    umulExtended(0xd2511f53u, counter.x, high0, low0);
    umulExtended(0xcd9e8d57u, counter.z, high1, low1);
    counter = uvec4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += uvec2(0x9e3779b9u, 0xbb67ae85u);
  }
  return counter;
}

void main() {
  uint index = gl_GlobalInvocationID.x;
  uvec4 counter = uvec4(index, 0, 0, 0);
  uvec2 key = stream_key;
  if (index < vector_count) {
    for (uint i = 0; i < 4; ++i) counter[i] = vectors[index * 6 + i];
    key = uvec2(vectors[index * 6 + 4], vectors[index * 6 + 5]);
  }
  uvec4 random = philox(counter, key);
  for (uint i = 0; i < 4; ++i) result[index * 4 + i] = random[i];
}
