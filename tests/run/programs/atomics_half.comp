// SPDX-License-Identifier: MIT
// Atomic operations on halves: neighbours in one dword are changed at the same time.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 2) buffer Addressed { float16_t cells[]; };

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[128]; };
layout(set = 0, binding = 1) buffer Sums { float16_t sums[7]; float16_t lows[7]; float16_t highs[8]; };
layout(set = 0, binding = 2) buffer Own { float16_t own[130]; };
layout(set = 0, binding = 3) writeonly buffer Results { float rows[][128]; };
layout(push_constant) uniform Push { Addressed addressed; };

shared float16_t group_cells[7];
shared float16_t group_own[64];

void main() {
  uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;
  float16_t x = float16_t(float(int(inputs[i]) - 32) / 8);
  atomicAdd(sums[i % 7], x);
  atomicMin(lows[i % 7], x);
  atomicMax(highs[i % 7], x);
  rows[0][i] = float(atomicAdd(own[1 + i], x));
  rows[1][i] = float(atomicMin(own[1 + i], float16_t(0.5)));
  rows[2][i] = float(atomicMax(own[1 + i], float16_t(-0.5)));
  rows[3][i] = float(atomicExchange(own[1 + i], x));
  atomicStore(own[1 + i], x + x, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  rows[4][i] = float(atomicLoad(own[1 + i], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed));

  atomicAdd(addressed.cells[i % 3], x);
  rows[5][i] = float(atomicMin(addressed.cells[3 + i], x)) + float(atomicMax(addressed.cells[3 + i], float16_t(1.0)));

  if (local < 7) group_cells[local] = float16_t(0);
  group_own[local] = x;
  barrier();
  atomicAdd(group_cells[i % 3], x);
  atomicMin(group_cells[3 + i % 2], x);
  atomicMax(group_cells[5 + i % 2], x);
  rows[6][i] = float(atomicAdd(group_own[local], float16_t(4.0))) + 2 * float(atomicExchange(group_own[local], -x));
  barrier();
  rows[7][i] = float(local < 7 ? group_cells[local] : group_own[local ^ 1]);
}
