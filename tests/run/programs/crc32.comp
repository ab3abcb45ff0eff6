// SPDX-License-Identifier: MIT
// CRC-32 (IEEE 802.3) of byte strings, with a table that the workgroup builds first.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Strings { uint words[]; };
layout(set = 0, binding = 1) readonly buffer Lengths { uint lengths[]; };
layout(set = 0, binding = 2) writeonly buffer Sums { uint sums[]; };

shared uint table[256];

void main() {
  uint lane = gl_LocalInvocationIndex;
  for (uint entry = lane; entry < 256; entry += gl_WorkGroupSize.x) {
    uint value = entry;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? (value >> 1) ^ 0xedb88320u : value >> 1;
    table[entry] = value;
  }
  barrier();
  uint crc = ~0u;
  uint length = lengths[gl_GlobalInvocationID.x];
  for (uint i = 0; i < length; ++i) {
    uint next = (words[gl_GlobalInvocationID.x + i / 4] >> (8 * (i & 3))) & 255;
    crc = (crc >> 8) ^ table[(crc ^ next) & 255];
  }
  sums[gl_GlobalInvocationID.x] = ~crc;
}
