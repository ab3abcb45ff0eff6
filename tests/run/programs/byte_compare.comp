// SPDX-License-Identifier: MIT
// Bytes that all lanes read, and such that differ, compared with constants and with each other.
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Input { uint8_t bytes[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex, group = gl_WorkGroupID.x;
  uint result = 0u;
  if (uint(bytes[group]) == 0x7cu) result |= 1u;
  if (uint(bytes[group]) != uint(bytes[group + 1u])) result |= 2u;
  if (bytes[group] < uint8_t(100)) result |= 4u;
  if (int8_t(bytes[group]) < int8_t(-3)) result |= 8u;
  if (uint(bytes[i]) == 9u || uint(bytes[i + group]) == 0xffu) result |= 16u;
  if (int(int8_t(bytes[i])) >= int(int8_t(bytes[group]))) result |= 32u;
  if (uint(bytes[group]) == 0x1234u) result |= 64u;
  results[gl_GlobalInvocationID.x] = result + uint(bytes[i + group]) * 256u;
}
