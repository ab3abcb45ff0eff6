// SPDX-License-Identifier: MIT
// Atomic operations on floats in buffers, at addresses and in workgroup memory. Sums are of multiples of 1/8 that are
// exact in any order; those on a word of each invocation's own return what was there, NaN and infinities included.
#version 450
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Addressed { float cells[]; };

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[128]; };
layout(set = 0, binding = 1) buffer Sums { float sums[8]; float lows[8]; float highs[8]; float odd; float total; };
layout(set = 0, binding = 2) buffer Own { float own[256]; };
layout(set = 0, binding = 3) writeonly buffer Results { float rows[][128]; };
layout(push_constant) uniform Push { Addressed addressed; };

shared float group_sum, group_low, group_high;
shared float group_own[64];

void main() {
  uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;
  float x = float(int(inputs[i]) - 32) / 8;
  atomicAdd(sums[i & 7], x);
  atomicMin(lows[i & 7], x);
  atomicMax(highs[i & 7], x);
  if ((i & 1) == 1) atomicAdd(odd, x);
  atomicAdd(total, 0.125);
  rows[0][i] = atomicAdd(own[i], x);
  rows[1][i] = atomicMin(own[i], 0.5);
  rows[2][i] = atomicMax(own[i], -0.5);
  rows[3][i] = atomicExchange(own[i], x);
  // What was stored there: an infinity, a NaN, or a number.
  atomicMin(own[128 + i], x);
  atomicMax(own[128 + i], x + 1);

  atomicAdd(addressed.cells[i & 3], x);
  atomicMin(addressed.cells[4 + (i & 3)], x);
  atomicMax(addressed.cells[8 + (i & 3)], x);
  rows[4][i] = atomicAdd(addressed.cells[12 + i], 2.0) + atomicMin(addressed.cells[12 + i], x) +
               atomicMax(addressed.cells[12 + i], 0.0);

  if (local == 0) {
    group_sum = 0;
    group_low = x;
    group_high = x;
  }
  group_own[local] = x;
  barrier();
  atomicAdd(group_sum, x);
  atomicMin(group_low, x);
  atomicMax(group_high, x);
  rows[5][i] = atomicAdd(group_own[local], 4.0) + 2 * atomicMin(group_own[local], 3.0) +
               4 * atomicMax(group_own[local], 1.0) + 8 * atomicExchange(group_own[local], -x);
  barrier();
  rows[6][i] = local == 0 ? group_sum : local == 1 ? group_low : local == 2 ? group_high : group_own[local ^ 1];
}
