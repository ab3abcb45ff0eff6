// SPDX-License-Identifier: MIT
// Atomic operations on doubles in a buffer, through an address and in workgroup memory.
#version 450
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Addressed { double cells[]; };

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[128]; };
layout(set = 0, binding = 1) buffer Sums { double sums[7]; double lows[7]; double highs[7]; };
layout(set = 0, binding = 2) buffer Own { double own[128]; };
layout(set = 0, binding = 3) writeonly buffer Results { double rows[][128]; };
layout(push_constant) uniform Push { Addressed addressed; };

shared double group_sum;
shared double group_low;
shared double group_high;
shared double group_own[64];

void main() {
  uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;
  // More bits than a float has.
  double x = double(int(inputs[i]) - 32) / 8 + double(inputs[i]) / 1099511627776.0LF;
  atomicAdd(sums[i % 7], x);
  atomicMin(lows[i % 7], x);
  atomicMax(highs[i % 7], x);
  rows[0][i] = atomicAdd(own[i], x);
  rows[1][i] = atomicMin(own[i], 0.5LF);
  rows[2][i] = atomicMax(own[i], -0.5LF);
  rows[3][i] = atomicExchange(own[i], x);
  atomicStore(own[i], x + x, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  rows[4][i] = atomicLoad(own[i], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);

  atomicAdd(addressed.cells[i % 3], x);
  rows[5][i] = atomicMin(addressed.cells[3 + i], x) + atomicMax(addressed.cells[3 + i], 1.0LF);

  if (local == 0) {
    group_sum = 0;
    group_low = 0;
    group_high = 0;
  }
  group_own[local] = x;
  barrier();
  atomicAdd(group_sum, x);
  atomicMin(group_low, x);
  atomicMax(group_high, x);
  rows[6][i] = atomicAdd(group_own[local], 4.0LF) + 2 * atomicExchange(group_own[local], -x);
  barrier();
  double whole[3] = {group_sum, group_low, group_high};
  rows[7][i] = local < 3 ? whole[local] : group_own[local ^ 1];
}
