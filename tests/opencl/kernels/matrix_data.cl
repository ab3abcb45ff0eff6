// SPDX-License-Identifier: MIT
// What GFX12 brought for data of matrices, by the compiler's builtins: 8-bit floats, atomics on two halves, loads that
// transpose.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#ifdef SPALT_HOST
#define HOST_OR(HOST, DEVICE) HOST

/// OCP 8-bit floats: 4 exponent and 3 mantissa bits without infinity, 5 and 2 with.
float host_value8(uint code, int mantissa_bits) {
  const int bias = mantissa_bits == 3 ? 7 : 15, exponent = (int)(code & 127) >> mantissa_bits;
  const int mantissa = (int)code & (1 << mantissa_bits) - 1;
  if (mantissa_bits == 3 ? (code & 127) == 127 : (code & 127) > 124) return NAN;
  float value = exponent == 0 ? ldexp((float)mantissa, 1 - bias - mantissa_bits)
                              : ldexp((float)(mantissa + (1 << mantissa_bits)), exponent - bias - mantissa_bits);
  if (mantissa_bits == 2 && (code & 127) == 124) value = INFINITY;
  return (code & 128) != 0 ? -value : value;
}
/// The nearest number, in a tie that with the even code. All are tried; what is beyond the last counts as the next.
uint host_code8(float x, int mantissa_bits) {
  const uint last = mantissa_bits == 3 ? 126 : 123;
  const float magnitude = fabs(x), beyond = mantissa_bits == 3 ? 480.0f : 65536.0f;
  uint best = 0;
  for (uint code = 1; code <= last + 1; ++code) {
    const float value = code > last ? beyond : host_value8(code, mantissa_bits), old = host_value8(best, mantissa_bits);
    const float distance = fabs(magnitude - value), least = fabs(magnitude - old);
    if (distance < least || (distance == least && (code & 1) == 0)) best = code;
  }
  return best | (signbit(x) ? 128 : 0);
}
uint host_pair8(float a, float b, int mantissa_bits) {
  return host_code8(a, mantissa_bits) | host_code8(b, mantissa_bits) << 8;
}
#else
#define HOST_OR(HOST, DEVICE) DEVICE
#endif

//! kernel floats_of_8_bits global 252 local 64
//! in float 252 magnitude -14 9
//! in float 252 magnitude -18 16
//! in uint 252 any
//! out uint 504
//! out float 2016
//! except gfx900 gfx906 gfx1010 gfx1030 gfx1100 gfx1150
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_cvt_pk_fp8_f32)
kernel void floats_of_8_bits(global const float* a, global const float* b, global const uint* c, global uint* codes,
                             global float* values) {
  const size_t i = get_global_id(0);
  const float x = a[i], y = b[i];
  // Bytes that are numbers.
  const uint z = c[i] & 0xbbbbbbbbu;
  codes[2 * i] = HOST_OR(host_pair8(x, -x * 0.75f, 3) << 16 | (c[i] & 0xffff),
                         (uint)__builtin_amdgcn_cvt_pk_fp8_f32(x, -x * 0.75f, (int)c[i], true));
  codes[2 * i + 1] = HOST_OR(host_pair8(y, -y * 0.625f, 2) | (c[i] & 0xffff0000u),
                             (uint)__builtin_amdgcn_cvt_pk_bf8_f32(y, -y * 0.625f, (int)c[i], false));
  global float* v = values + 8 * i;
  v[0] = HOST_OR(host_value8(z & 255, 3), __builtin_amdgcn_cvt_f32_fp8((int)z, 0));
  v[1] = HOST_OR(host_value8(z >> 8 & 255, 3), __builtin_amdgcn_cvt_f32_fp8((int)z, 1));
  v[2] = HOST_OR(host_value8(z >> 16 & 255, 2), __builtin_amdgcn_cvt_f32_bf8((int)z, 2));
  v[3] = HOST_OR(host_value8(z >> 24, 2), __builtin_amdgcn_cvt_f32_bf8((int)z, 3));
#ifdef SPALT_HOST
  for (int k = 0; k < 4; ++k) v[4 + k] = host_value8(z >> (16 - 16 * (k / 2) + 8 * (k % 2)) & 255, 3 - k / 2);
#else
  typedef float pair __attribute__((ext_vector_type(2)));
  const pair high = __builtin_amdgcn_cvt_pk_f32_fp8((int)z, true), low = __builtin_amdgcn_cvt_pk_f32_bf8((int)z, false);
  v[4] = high.x;
  v[5] = high.y;
  v[6] = low.x;
  v[7] = low.y;
#endif
}
#endif

//! kernel rounded_at_random global 252 local 64
//! in float 252 range 1 7
//! in uint 252 any
//! out uint 504
//! except gfx900 gfx906 gfx1010 gfx1030 gfx1100 gfx1150
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_cvt_sr_fp8_f32)
kernel void rounded_at_random(global const float* a, global const uint* random, global uint* out) {
  const size_t i = get_global_id(0);
#ifdef SPALT_HOST
  // In parts of 1 of the last place that is kept, the random number is below 1.
  for (uint bits = 3; bits >= 2; --bits) {
    const int exponent = (int)(as_uint(a[i]) >> 23) - 127;
    const float place = ldexp(1.0f, exponent - (int)bits), steps = a[i] / place;
    const uint drawn = random[i] >> (bits + 9);
    const uint whole = (uint)((double)steps + (double)drawn / (double)(1u << (23 - bits)));
    const uint code = host_code8((float)whole * place, (int)bits);
    out[2 * i + 3 - bits] = bits == 3 ? code << 8 | 0x11000011u : code << 24 | 0x2222u;
  }
#else
  out[2 * i] = (uint)__builtin_amdgcn_cvt_sr_fp8_f32(a[i], (int)random[i], 0x11000011, 1);
  out[2 * i + 1] = (uint)__builtin_amdgcn_cvt_sr_bf8_f32(a[i], (int)random[i], 0x2222, 3);
#endif
}
#endif

//! kernel packed_sums global 128 local 64
//! in half 256 range -100 100
//! inout half 256 range -100 100
//! out half 512
//! except gfx900 gfx906 gfx1010 gfx1030 gfx1100 gfx1150
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_ds_atomic_fadd_v2f16)
kernel void packed_sums(global const half2* a, global half2* sums, global half2* out) {
  local half2 places[64];
  const size_t i = get_global_id(0), l = get_local_id(0);
  places[l] = a[i] * (half)0.5f;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef SPALT_HOST
  const half2 old = sums[i], before = places[l];
  sums[i] += a[i];
  places[l] += old;
#else
  const half2 old = __builtin_amdgcn_global_atomic_fadd_v2f16(sums + i, a[i]);
  const half2 before = __builtin_amdgcn_ds_atomic_fadd_v2f16(places + l, old);
#endif
  out[2 * i] = old + before;
  out[2 * i + 1] = places[l];
}
#endif

//! kernel transposed global 64 local 64
//! in uchar 256 any
//! in ushort 256 any
//! out uchar 256
//! out ushort 256
//! except gfx900 gfx906 gfx1010 gfx1030 gfx1100 gfx1150
// Column k of a 16x16 matrix lies in 16 elements in a row; the result has the rows.
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_global_load_tr_b64_v2i32) || \
    __has_builtin(__builtin_amdgcn_global_load_tr_b64_i32)
kernel void transposed(global const uchar* bytes, global const ushort* halves, global uchar* byte_rows,
                       global ushort* half_rows) {
#ifdef SPALT_HOST
  for (uint i = (uint)get_global_id(0) * 4; i < (uint)get_global_id(0) * 4 + 4; ++i) {
    byte_rows[i] = bytes[i % 16 * 16 + i / 16];
    half_rows[i] = halves[i % 16 * 16 + i / 16];
  }
#else
  // RDNA 4 ISA guide, 7.12.2: a lane has a row and a part of its elements.
  const uint size = __builtin_amdgcn_wavefrontsize(), lane = (uint)get_local_id(0) & (size - 1), loading = lane & 31;
  const uint row = lane & 15, first = size == 32 ? lane / 16 * 8 : (lane / 16 & 1) * 8 + lane / 32 * 4;
  const uint byte_at = (loading / 16 * 8 + (loading / 8 & 1) * 4 + (loading & 3)) * 16 + (loading / 4 & 1) * 8;
  const uint half_at = (loading / 16 * 8 + (loading & 7)) * 16 + (loading / 8 & 1) * 8;
#if __has_builtin(__builtin_amdgcn_global_load_tr_b64_v2i32)
  typedef int word2 __attribute__((ext_vector_type(2)));
  typedef short half8 __attribute__((ext_vector_type(8)));
  union { word2 from; uchar to[8]; } b;
  union { half8 from; ushort to[8]; } h;
  b.from = __builtin_amdgcn_global_load_tr_b64_v2i32((global word2*)(bytes + byte_at));
  h.from = __builtin_amdgcn_global_load_tr_b128_v8i16((global half8*)(halves + half_at));
  const uint count = 8;
#else
  typedef short half4 __attribute__((ext_vector_type(4)));
  union { int from; uchar to[4]; } b;
  union { half4 from; ushort to[4]; } h;
  b.from = __builtin_amdgcn_global_load_tr_b64_i32((global int*)(bytes + byte_at));
  h.from = __builtin_amdgcn_global_load_tr_b128_v4i16((global half4*)(halves + half_at));
  const uint count = 4;
#endif
  for (uint e = 0; e < count; ++e) {
    byte_rows[row * 16 + first + e] = b.to[e];
    half_rows[row * 16 + first + e] = h.to[e];
  }
#endif
}
#endif
