// SPDX-License-Identifier: MIT
// Votes of a quad, of all its invocations and of those that a branch lets run. Each bit of a result is one vote.
#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;

spirv_execution_mode(extensions = ["SPV_KHR_quad_control"], capabilities = [5087], 5088);
spirv_execution_mode(extensions = ["SPV_KHR_maximal_reconvergence"], 6023);

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

// OpGroupNonUniformQuadAllKHR and OpGroupNonUniformQuadAnyKHR
spirv_instruction(extensions = ["SPV_KHR_quad_control"], capabilities = [5087], id = 5110)
bool quad_all(bool condition);
spirv_instruction(extensions = ["SPV_KHR_quad_control"], capabilities = [5087], id = 5111)
bool quad_any(bool condition);

void main() {
  uint word = words[gl_GlobalInvocationID.x], votes = 0u;
  if (quad_all((word & 3u) != 0u)) votes |= 1u;
  if (quad_any((word & 12u) == 0u)) votes |= 2u;
  if (quad_all(true)) votes |= 4u;
  if (quad_any(false)) votes |= 8u;
  if ((word & 16u) != 0u) {
    if (quad_all((word & 32u) != 0u)) votes |= 16u;
    if (quad_any((word & 64u) != 0u)) votes |= 32u;
  }
  for (uint i = 0u; i < (word >> 8 & 7u); ++i) {
    if (quad_all((word >> (12u + i) & 1u) != 0u)) votes |= 64u << 2u * i;
    if (quad_any((word >> (20u + i) & 1u) != 0u)) votes |= 128u << 2u * i;
  }
  results[gl_GlobalInvocationID.x] = votes;
}
