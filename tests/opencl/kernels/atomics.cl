// SPDX-License-Identifier: MIT
// Atomics in global and local memory, 32 and 64 bits wide. Where items share a place, the final value does not depend on
// their order; returned values are those of an item's own place.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define RMW(T, PREFIX)                                                                          \
  kernel void rmw_##T(global const T* in, global T* out) {                                      \
    const size_t i = get_global_id(0);                                                          \
    const T x = in[i];                                                                          \
    volatile global T* o = out;                                                                 \
    PREFIX##_add(o, x);                                                                         \
    PREFIX##_sub(o + 1, x);                                                                     \
    PREFIX##_min(o + 2, x);                                                                     \
    PREFIX##_max(o + 3, x);                                                                     \
    PREFIX##_and(o + 4, x | (T)0xf0);                                                           \
    PREFIX##_or(o + 5, x & (T)0x0f);                                                            \
    PREFIX##_xor(o + 6, x);                                                                     \
    PREFIX##_inc(o + 7);                                                                        \
    PREFIX##_dec(o + 8);                                                                        \
  }                                                                                             \
  kernel void returned_##T(global const T* in, global T* own, global T* out) {                  \
    const size_t i = get_global_id(0);                                                          \
    const T x = in[i];                                                                          \
    volatile global T* o = own + i;                                                             \
    global T* r = out + i * 11;                                                                 \
    r[0] = PREFIX##_add(o, x);                                                                  \
    r[1] = PREFIX##_sub(o, (T)3);                                                               \
    r[2] = PREFIX##_xchg(o, x ^ (T)5);                                                          \
    r[3] = PREFIX##_cmpxchg(o, x ^ (T)5, x);                                                    \
    r[4] = PREFIX##_cmpxchg(o, x + (T)1, (T)77);                                                \
    r[5] = PREFIX##_min(o, (T)100);                                                             \
    r[6] = PREFIX##_max(o, (T)50);                                                              \
    r[7] = PREFIX##_and(o, x);                                                                  \
    r[8] = PREFIX##_or(o, (T)0x1230);                                                           \
    r[9] = PREFIX##_xor(o, x);                                                                  \
    r[10] = PREFIX##_inc(o) + PREFIX##_dec(o);                                                  \
  }                                                                                             \
  kernel void local_##T(global const T* in, global T* out, local T* shared) {                   \
    const size_t l = get_local_id(0), i = get_global_id(0);                                     \
    if (l < 9) shared[l] = (T)l;                                                                \
    shared[16 + l] = in[i] + (T)1;                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                               \
    const T x = in[i];                                                                          \
    volatile local T* s = shared;                                                               \
    PREFIX##_add(s, x);                                                                         \
    PREFIX##_sub(s + 1, x);                                                                     \
    PREFIX##_min(s + 2, x);                                                                     \
    PREFIX##_max(s + 3, x);                                                                     \
    PREFIX##_and(s + 4, x | (T)0xf0);                                                           \
    PREFIX##_or(s + 5, x & (T)0x0f);                                                            \
    PREFIX##_xor(s + 6, x);                                                                     \
    PREFIX##_inc(s + 7);                                                                        \
    PREFIX##_dec(s + 8);                                                                        \
    T r = PREFIX##_add(s + 16 + l, x);                                                          \
    r = r * (T)3 + PREFIX##_sub(s + 16 + l, (T)9);                                              \
    r = r * (T)3 + PREFIX##_xchg(s + 16 + l, x);                                                \
    r = r * (T)3 + PREFIX##_cmpxchg(s + 16 + l, x, (T)12);                                      \
    r = r * (T)3 + PREFIX##_min(s + 16 + l, x);                                                 \
    r = r * (T)3 + PREFIX##_max(s + 16 + l, (T)20);                                             \
    r = r * (T)3 + PREFIX##_and(s + 16 + l, x);                                                 \
    r = r * (T)3 + PREFIX##_or(s + 16 + l, (T)0x55);                                            \
    r = r * (T)3 + PREFIX##_xor(s + 16 + l, x);                                                 \
    r = r * (T)3 + PREFIX##_inc(s + 16 + l);                                                    \
    r = r * (T)3 + PREFIX##_dec(s + 16 + l);                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                               \
    out[i * 2] = r;                                                                             \
    out[i * 2 + 1] = l < 9 ? shared[l] : shared[16 + l];                                        \
  }
//! kernel rmw_int global 200 local 64
//! in int 200 any
//! inout int 9 any
RMW(int, atomic)
//! kernel rmw_uint global 200 local 64
//! in uint 200 any
//! inout uint 9 any
RMW(uint, atomic)
//! kernel rmw_long global 200 local 64
//! in long 200 any
//! inout long 9 any
RMW(long, atom)
//! kernel rmw_ulong global 200 local 64
//! in ulong 200 any
//! inout ulong 9 any
RMW(ulong, atom)
//! kernel returned_int global 200 local 64
//! in int 200 any
//! inout int 200 any
//! out int 2200
//! kernel returned_uint global 200 local 64
//! in uint 200 any
//! inout uint 200 any
//! out uint 2200
//! kernel returned_long global 200 local 64
//! in long 200 any
//! inout long 200 any
//! out long 2200
//! kernel returned_ulong global 200 local 64
//! in ulong 200 any
//! inout ulong 200 any
//! out ulong 2200
//! kernel local_int global 192 local 64
//! in int 192 any
//! out int 384
//! local 1024
//! kernel local_uint global 192 local 64
//! in uint 192 any
//! out uint 384
//! local 1024
//! kernel local_long global 192 local 64
//! in long 192 any
//! out long 384
//! local 1024
//! kernel local_ulong global 192 local 64
//! in ulong 192 any
//! out ulong 384
//! local 1024

//! kernel float_exchange global 100 local 64
//! in float 100 any
//! inout float 100 any
//! out float 100
kernel void float_exchange(global const float* in, global float* own, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = atomic_xchg((volatile global float*)own + i, in[i]);
}

//! kernel histogram global 512 local 128
//! in uint 512 any
//! inout uint 64 zeros
kernel void histogram(global const uint* in, global uint* out) {
  local uint bins[64];
  const size_t l = get_local_id(0);
  if (l < 64) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc((volatile local uint*)&bins[in[get_global_id(0)] >> 26]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) atomic_add((volatile global uint*)&out[l], bins[l]);
}
