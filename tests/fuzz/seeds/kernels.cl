// SPDX-License-Identifier: MIT
//
// Small kernels whose code objects are seeds of hsa_elf_fuzz: each has an instruction group or a part of the kernel
// descriptor that the others lack. Without the OpenCL library, so that the objects stay small.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

size_t item(void) { return __builtin_amdgcn_workgroup_id_x() * 16 + __builtin_amdgcn_workitem_id_x(); }

__attribute__((noinline)) int called(int a, int b) { return a * b + (a >> (b & 31)); }

kernel void calls(global int* data, int factor) { data[item()] = called(data[item()], factor); }

kernel void scratch(global int* data, int seed) {
  volatile int table[24];
  for (int i = 0; i < 24; ++i) table[i] = seed * i;
  data[item()] = table[data[item()] & 15];
}

kernel void shared(global uint* data, local uint* extra) {
  local uint sums[16];
  const uint lane = __builtin_amdgcn_workitem_id_x();
  sums[lane] = data[item()];
  extra[lane & 7] = lane;
  __builtin_amdgcn_s_barrier();
  data[item()] = sums[lane ^ 5] + extra[lane & 3];
}

kernel void atomics(global volatile atomic_uint* data, uint value) {
  const uint old = __opencl_atomic_fetch_add(data, value, memory_order_acq_rel, memory_scope_device);
  __opencl_atomic_fetch_max(data + 1, old, memory_order_relaxed, memory_scope_work_group);
}

kernel void numbers(global float* single, global double* wide, global const half* scale) {
  const size_t i = item();
  single[i] = single[i] * (float)scale[i] + __builtin_sqrtf(single[i + 1]);
  wide[i] = __builtin_fma(wide[i], (double)single[i], wide[i + 1]);
}

kernel void branches(global int* data, long limit) {
  int value = data[item()];
  for (long i = 0; i < limit; ++i) {
    switch (value & 3) {
      case 0: value = value / 3; break;
      case 1: value = value * 5 + 1; break;
      case 2: value ^= (int)i; break;
      default: if (value > 100) return; value -= 7;
    }
  }
  data[item()] = value;
}
