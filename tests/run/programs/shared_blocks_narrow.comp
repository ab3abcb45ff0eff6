// SPDX-License-Identifier: MIT
// Blocks in workgroup memory at the same place, whose members have 8 and 16 bits.
#version 450
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words_in[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

shared Words { uint words[64]; };
shared Bytes { uint8_t bytes[256]; };
shared Shorts { layout(offset = 2) int16_t shorts[127]; };

void main() {
  uint i = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  words[i] = words_in[at];
  barrier();
  uint taken = uint(bytes[(i * 5u) & 255u]) + uint(int(shorts[(i * 3u) % 127u]));
  barrier();
  bytes[i * 4u + 1u] = uint8_t(taken);
  barrier();
  if (i < 63u) shorts[i * 2u + 1u] = int16_t(taken >> 3);
  barrier();
  results[at] = words[i];
}
