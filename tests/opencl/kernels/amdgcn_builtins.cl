// SPDX-License-Identifier: MIT
// Instructions that OpenCL C has no name for, by the compiler's builtins.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#ifdef SPALT_HOST
#include "../host/amdgcn.clh"
#define HOST_OR(HOST, DEVICE) HOST
#else
#define HOST_OR(HOST, DEVICE) DEVICE
#endif

//! kernel bit_fields global 300 local 64
//! in uint 300 any
//! in uint 300 any
//! in uint 300 any
//! out uint 3000
kernel void bit_fields(global const uint* a, global const uint* b, global const uint* c, global uint* out) {
  const size_t i = get_global_id(0);
  const uint x = a[i], y = b[i], z = c[i];
  global uint* o = out + i * 10;
  o[0] = HOST_OR(host_ubfe(x, y, z), __builtin_amdgcn_ubfe(x, y, z));
  o[1] = HOST_OR((uint)host_sbfe((int)x, y, z), (uint)__builtin_amdgcn_sbfe((int)x, y, z));
  o[2] = HOST_OR(host_perm(x, y, z & 0x0f0f0f0f), __builtin_amdgcn_perm(x, y, z & 0x0f0f0f0f));
  o[3] = HOST_OR(host_alignbit(x, y, z), __builtin_amdgcn_alignbit(x, y, z));
  o[4] = HOST_OR(host_alignbyte(x, y, z), __builtin_amdgcn_alignbyte(x, y, z));
  o[5] = HOST_OR(host_sad_u8(x, y, z), __builtin_amdgcn_sad_u8(x, y, z));
  o[6] = HOST_OR(host_sad_hi_u8(x, y, z), __builtin_amdgcn_sad_hi_u8(x, y, z));
  o[7] = HOST_OR(host_sad_u16(x, y, z), __builtin_amdgcn_sad_u16(x, y, z));
  o[8] = HOST_OR(host_msad_u8(x, y, z), __builtin_amdgcn_msad_u8(x, y, z));
  o[9] = HOST_OR(host_lerp(x, y, z), __builtin_amdgcn_lerp(x, y, z));
}

//! kernel quad_sads global 200 local 64
//! in ulong 200 any
//! in uint 200 any
//! in ulong 200 any
//! in uint 800 any
//! out ulong 400
//! out uint 800
kernel void quad_sads(global const ulong* a, global const uint* b, global const ulong* c, global const uint4* d,
                      global ulong* out, global uint4* wide) {
  const size_t i = get_global_id(0);
  out[2 * i] = HOST_OR(host_qsad(a[i], b[i], c[i], 0), __builtin_amdgcn_qsad_pk_u16_u8(a[i], b[i], c[i]));
  out[2 * i + 1] = HOST_OR(host_qsad(a[i], b[i], c[i], 1), __builtin_amdgcn_mqsad_pk_u16_u8(a[i], b[i], c[i]));
  wide[i] = HOST_OR(host_mqsad_u32(a[i], b[i], d[i]), __builtin_amdgcn_mqsad_u32_u8(a[i], b[i], d[i]));
}

//! kernel packing global 252 local 64
//! in float 252 number
//! in float 252 range -1.5 1.5
//! in uint 252 any
//! out uint 252
//! out short 504
//! out ushort 1008
//! out half 504
kernel void packing(global const float* a, global const float* b, global const uint* c, global uint* bytes,
                    global short2* norms, global ushort2* unorms, global half2* halves) {
  const size_t i = get_global_id(0);
  bytes[i] = HOST_OR(host_cvt_pk_u8(a[i], c[i], c[i] * 5), __builtin_amdgcn_cvt_pk_u8_f32(a[i], c[i], c[i] * 5));
  norms[i] = HOST_OR(host_pknorm_i16(b[i], a[i]), __builtin_amdgcn_cvt_pknorm_i16(b[i], a[i]));
  unorms[2 * i] = HOST_OR(host_pknorm_u16(b[i], a[i]), __builtin_amdgcn_cvt_pknorm_u16(b[i], a[i]));
  unorms[2 * i + 1] = HOST_OR((ushort2)(convert_ushort_sat(c[i]), convert_ushort_sat(c[i] >> 13)),
                              __builtin_amdgcn_cvt_pk_u16(c[i], c[i] >> 13));
  halves[i] = HOST_OR((half2)(convert_half_rtz(a[i]), convert_half_rtz(b[i])), __builtin_amdgcn_cvt_pkrtz(a[i], b[i]));
}

//! kernel cubes global 300 local 64
//! in float 300 range -4 4
//! in float 300 range -4 4
//! in float 300 range -4 4
//! out float 1200 zero
kernel void cubes(global const float* a, global const float* b, global const float* c, global float* out) {
  const size_t i = get_global_id(0);
  // Equal magnitudes, too.
  const float x = i % 5 == 0 ? b[i] : a[i], y = b[i], z = i % 7 == 0 ? -x : i % 11 == 0 ? y : c[i];
  out[4 * i] = HOST_OR((float)host_face(x, y, z), __builtin_amdgcn_cubeid(x, y, z));
  out[4 * i + 1] = HOST_OR(host_cubesc(x, y, z), __builtin_amdgcn_cubesc(x, y, z));
  out[4 * i + 2] = HOST_OR(host_cubetc(x, y, z), __builtin_amdgcn_cubetc(x, y, z));
  out[4 * i + 3] = HOST_OR(host_cubema(x, y, z), __builtin_amdgcn_cubema(x, y, z));
}

//! kernel float_parts global 252 local 64
//! in float 252 finite
//! in double 252 finite
//! in float 252 number
//! in float 252 number
//! out float 1008 zero
//! out int 756
//! out double 504 zero
kernel void float_parts(global const float* a, global const double* b, global const float* c, global const float* d,
                        global float* out, global int* integers, global double* doubles) {
  const size_t i = get_global_id(0);
  int e, f;
  const float m = frexp(a[i], &e);
  const double n = frexp(b[i], &f);
  out[4 * i] = HOST_OR(m, __builtin_amdgcn_frexp_mantf(a[i]));
  out[4 * i + 1] = HOST_OR(host_med3(a[i], c[i], d[i]), __builtin_amdgcn_fmed3f(a[i], c[i], d[i]));
  out[4 * i + 2] = HOST_OR(fmin(a[i] - floor(a[i]), 0x1.fffffep-1f), __builtin_amdgcn_fractf(a[i]));
  out[4 * i + 3] = HOST_OR(ldexp(a[i], (int)i - 100), __builtin_amdgcn_ldexpf(a[i], (int)i - 100));
  integers[3 * i] = HOST_OR(e, __builtin_amdgcn_frexp_expf(a[i]));
  integers[3 * i + 1] = HOST_OR(f, __builtin_amdgcn_frexp_exp(b[i]));
  integers[3 * i + 2] = HOST_OR((isnan(c[i]) ? 0 : isinf(c[i]) ? 1 : c[i] == 0 ? 1 : 0), __builtin_amdgcn_classf(c[i], 0x264));
  doubles[2 * i] = HOST_OR(n, __builtin_amdgcn_frexp_mant(b[i]));
  doubles[2 * i + 1] = HOST_OR(ldexp(b[i], (int)i - 100), __builtin_amdgcn_ldexp(b[i], (int)i - 100));
}

//! kernel turns global 300 local 64
//! in double 300 magnitude -10 1023
//! in uint 300 range 0 32
//! out double 1200
kernel void turns(global const double* a, global const uint* b, global double* out) {
  const size_t i = get_global_id(0);
  out[4 * i] = HOST_OR(host_trig_preop(a[i], 0), __builtin_amdgcn_trig_preop(a[i], 0));
  out[4 * i + 1] = HOST_OR(host_trig_preop(a[i], 1), __builtin_amdgcn_trig_preop(a[i], 1));
  out[4 * i + 2] = HOST_OR(host_trig_preop(a[i], b[i]), __builtin_amdgcn_trig_preop(a[i], b[i]));
  out[4 * i + 3] = HOST_OR(host_trig_preop(1.0, b[i]), __builtin_amdgcn_trig_preop(1.0, b[i]));
}

//! kernel dots global 300 local 64
//! in uint 300 any
//! in uint 300 any
//! in uint 300 any
//! out uint 2700
//! except gfx900 gfx1010 gfx1100 gfx1150 gfx1200
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_sdot4)
kernel void dots(global const uint* a, global const uint* b, global const uint* c, global uint* out) {
  const size_t i = get_global_id(0);
  const uint x = a[i], y = b[i], z = c[i];
  global uint* o = out + i * 9;
  o[0] = HOST_OR((uint)host_dot(x, y, 8, 1, (int)z), (uint)__builtin_amdgcn_sdot4((int)x, (int)y, (int)z, false));
  o[1] = HOST_OR((uint)host_dot(x, y, 8, 0, (int)z), __builtin_amdgcn_udot4(x, y, z, false));
  o[2] = HOST_OR((uint)host_dot(x, y, 4, 1, (int)z), (uint)__builtin_amdgcn_sdot8((int)x, (int)y, (int)z, false));
  o[3] = HOST_OR((uint)host_dot(x, y, 4, 0, (int)z), __builtin_amdgcn_udot8(x, y, z, false));
  o[4] = HOST_OR((uint)host_saturated_dot(x, y, 8, 1, (int)z), (uint)__builtin_amdgcn_sdot4((int)x, (int)y, (int)z, true));
  o[5] = HOST_OR((uint)host_saturated_dot(x, y, 8, 0, z), __builtin_amdgcn_udot4(x, y, z, true));
  o[6] = HOST_OR((uint)host_saturated_dot(x, y, 4, 1, (int)z), (uint)__builtin_amdgcn_sdot8((int)x, (int)y, (int)z, true));
#ifdef SPALT_HOST
  o[7] = (uint)host_dot(x, y, 16, 1, (int)z);
  o[8] = (uint)host_dot(x, y, 16, 0, (int)z);
#else
  o[7] = (uint)__builtin_amdgcn_sdot2(as_short2(x), as_short2(y), (int)z, false);
  o[8] = __builtin_amdgcn_udot2(as_ushort2(x), as_ushort2(y), z, false);
#endif
}
#endif

//! kernel mixed_dots global 300 local 64
//! in uint 300 any
//! in uint 300 any
//! in uint 300 any
//! out uint 3000
//! except gfx900 gfx906 gfx1010 gfx1030
#ifdef SPALT_HOST
#define SUDOT4(A_SIGNED, A, B_SIGNED, B, C, CLAMP) host_mixed_dot(A_SIGNED, A, B_SIGNED, B, 8, C, CLAMP)
#define SUDOT8(A_SIGNED, A, B_SIGNED, B, C, CLAMP) host_mixed_dot(A_SIGNED, A, B_SIGNED, B, 4, C, CLAMP)
#else
#define SUDOT4(A_SIGNED, A, B_SIGNED, B, C, CLAMP) __builtin_amdgcn_sudot4(A_SIGNED, A, B_SIGNED, B, C, CLAMP)
#define SUDOT8(A_SIGNED, A, B_SIGNED, B, C, CLAMP) __builtin_amdgcn_sudot8(A_SIGNED, A, B_SIGNED, B, C, CLAMP)
#endif
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_sudot4)
kernel void mixed_dots(global const uint* a, global const uint* b, global const uint* c, global uint* out) {
  const size_t i = get_global_id(0);
  const int x = (int)a[i], y = (int)b[i], z = (int)c[i];
  global uint* o = out + i * 10;
  o[0] = (uint)SUDOT4(false, x, false, y, z, false);
  o[1] = (uint)SUDOT4(true, x, false, y, z, false);
  o[2] = (uint)SUDOT4(false, x, true, y, z, true);
  o[3] = (uint)SUDOT4(true, x, true, y, z, true);
  o[4] = (uint)SUDOT8(false, x, false, y, z, true);
  o[5] = (uint)SUDOT8(true, x, false, y, z, true);
  o[6] = (uint)SUDOT8(false, x, true, y, z, false);
  o[7] = (uint)SUDOT8(true, x, true, y, z, false);
  o[8] = HOST_OR((uint)host_dot(a[i], b[i], 8, 0, z), __builtin_amdgcn_udot4(a[i], b[i], c[i], false));
  o[9] = HOST_OR((uint)host_saturated_dot(a[i], b[i], 4, 0, c[i]), __builtin_amdgcn_udot8(a[i], b[i], c[i], true));
}
#endif

//! kernel half_dots global 252 local 64
//! in half 504 range -4 4
//! in half 504 range -4 4
//! in half 252 range -4 4
//! out half 252 ulp 1
//! except gfx900 gfx906 gfx1010 gfx1030
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_fdot2_f16_f16)
kernel void half_dots(global const half2* a, global const half2* b, global const half* c, global half* out) {
  const size_t i = get_global_id(0);
  out[i] = HOST_OR((half)((double)a[i].x * (double)b[i].x + (double)a[i].y * (double)b[i].y + (double)c[i]),
                   __builtin_amdgcn_fdot2_f16_f16(a[i], b[i], c[i]));
}
#endif

//! kernel bfloat_dots global 252 local 64
//! in float 504 range -4 4
//! in float 504 range -4 4
//! in float 252 range -4 4
//! out float 252
//! except gfx900 gfx906 gfx1010 gfx1030
// The upper half of a float is a bfloat.
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_fdot2_f32_bf16)
kernel void bfloat_dots(global const float2* a, global const float2* b, global const float* c, global float* out) {
  const size_t i = get_global_id(0);
  const uint2 x = as_uint2(a[i]) & 0xffff0000u, y = as_uint2(b[i]) & 0xffff0000u;
  out[i] = HOST_OR((float)((double)as_float(x.x) * (double)as_float(y.x) + (double)as_float(x.y) * (double)as_float(y.y) +
                           (double)c[i]),
                   __builtin_amdgcn_fdot2_f32_bf16(as_short2(x.x >> 16 | x.y), as_short2(y.x >> 16 | y.y), c[i], false));
}
#endif

//! kernel float_dots global 252 local 64
//! in half 504 range -4 4
//! in half 504 range -4 4
//! in float 252 range -4 4
//! out float 252 ulp 4 abs 1e-5
//! except gfx900 gfx1010
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_fdot2)
kernel void float_dots(global const half2* a, global const half2* b, global const float* c, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = HOST_OR((float)((double)(float)a[i].x * (double)(float)b[i].x + (double)(float)a[i].y * (double)(float)b[i].y + c[i]),
                   __builtin_amdgcn_fdot2(a[i], b[i], c[i], false));
}
#endif

//! kernel approximations global 252 local 64
//! in float 252 positive -20 20
//! in half 252 positive -8 8
//! in double 252 positive -20 20
//! out float 1512 ulp 16 abs 1e-5
//! out half 1512 ulp 2 abs 1e-3
//! out double 504 abs 1e-2 ulp 1e12
kernel void approximations(global const float* a, global const half* b, global const double* c, global float* out,
                           global half* halves, global double* doubles) {
  const size_t i = get_global_id(0);
  const float x = a[i], t = x - floor(x);
  const half h = b[i], u = h - floor(h);
  global float* o = out + 6 * i;
  o[0] = HOST_OR(1.0f / x, __builtin_amdgcn_rcpf(x));
  o[1] = HOST_OR(rsqrt(x), __builtin_amdgcn_rsqf(x));
  o[2] = HOST_OR(sqrt(x), __builtin_amdgcn_sqrtf(x));
  o[3] = HOST_OR((float)sinpi(2.0 * (double)t), __builtin_amdgcn_sinf(t));
  o[4] = HOST_OR((float)cospi(2.0 * (double)t), __builtin_amdgcn_cosf(t));
  o[5] = HOST_OR(log2(x), __builtin_amdgcn_logf(x));
  global half* p = halves + 6 * i;
  p[0] = HOST_OR((half)(1.0 / (double)h), __builtin_amdgcn_rcph(h));
  p[1] = HOST_OR(rsqrt(h), __builtin_amdgcn_rsqh(h));
  p[2] = HOST_OR(sqrt(h), __builtin_amdgcn_sqrth(h));
  p[3] = HOST_OR((half)sinpi(2.0 * (double)u), __builtin_amdgcn_sinh(u));
  p[4] = HOST_OR((half)cospi(2.0 * (double)u), __builtin_amdgcn_cosh(u));
  p[5] = HOST_OR(rint(h), __builtin_rintf16(h));
  // The f64 forms are starting points of about 26 bits.
  doubles[2 * i] = HOST_OR(1.0 / c[i], __builtin_amdgcn_rcp(c[i]));
  doubles[2 * i + 1] = HOST_OR(rsqrt(c[i]), __builtin_amdgcn_rsq(c[i]));
}

//! kernel lanes global 128 local 64
//! in uint 128 any
//! in uint 128 any
//! out uint 1408
kernel void lanes(global const uint* a, global const uint* b, global uint* out) {
  const size_t i = get_global_id(0);
  const uint x = a[i], y = b[i], lane = get_local_id(0) & 31;
  global uint* o = out + i * 11;
#ifdef SPALT_HOST
  o[0] = host_from_lane(x, 5);
  o[1] = host_from_lane(x, y & 31);
  o[2] = host_from_lane(x, lane ^ 1);
  o[3] = host_from_lane(x, (lane & ~15u) | (15 - (lane & 15)));
  o[4] = host_from_lane(x, (lane & ~7u) | (7 - (lane & 7)));
  o[5] = host_from_lane(x, (lane & ~3u) | (lane + 3 & 3));
  const uint behind = host_from_lane(x, lane - 1), ahead = host_from_lane(x, lane + 2),
             turned = host_from_lane(x, (lane & ~15u) | (lane - 4 & 15));
  o[6] = (lane & 15) >= 1 ? behind : y;
  o[7] = (lane & 15) < 14 ? ahead : 0;
  o[8] = turned;
  o[9] = host_from_lane(x, lane ^ 0x11);
  o[10] = lane;
#else
  // Of each half, so that waves of 32 and 64 agree.
  const uint low = __builtin_amdgcn_readlane(x, 5), high = __builtin_amdgcn_readlane(x, __builtin_amdgcn_wavefrontsize() - 27);
  o[0] = (get_local_id(0) & 32) != 0 ? high : low;
  o[1] = (uint)__builtin_amdgcn_ds_bpermute((int)((y & 31) + (get_local_id(0) & 32 & (__builtin_amdgcn_wavefrontsize() - 1))) * 4, (int)x);
  o[2] = (uint)__builtin_amdgcn_ds_swizzle((int)x, 0x041f);
  o[3] = (uint)__builtin_amdgcn_update_dpp((int)y, (int)x, 0x140, 0xf, 0xf, false);
  o[4] = (uint)__builtin_amdgcn_update_dpp((int)y, (int)x, 0x141, 0xf, 0xf, false);
  o[5] = (uint)__builtin_amdgcn_mov_dpp((int)x, 0x93, 0xf, 0xf, true);
  o[6] = (uint)__builtin_amdgcn_update_dpp((int)y, (int)x, 0x111, 0xf, 0xf, false);
  o[7] = (uint)__builtin_amdgcn_update_dpp((int)y, (int)x, 0x102, 0xf, 0xf, true);
  o[8] = (uint)__builtin_amdgcn_update_dpp((int)y, (int)x, 0x124, 0xf, 0xf, false);
  o[9] = (uint)__builtin_amdgcn_ds_swizzle((int)x, 0x1f | 0x11 << 10);
  o[10] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)) & 31;
#endif
}

//! kernel lanes_of_rows global 128 local 64
//! in uint 128 any
//! in uint 128 any
//! out uint 384
//! except gfx900 gfx906
#if defined(SPALT_HOST) || __has_builtin(__builtin_amdgcn_permlane16)
kernel void lanes_of_rows(global const uint* a, global const uint* b, global uint* out) {
  const size_t i = get_global_id(0);
  const uint x = a[i], y = b[i], lane = get_local_id(0) & 31;
  global uint* o = out + i * 3;
#ifdef SPALT_HOST
  const uint swapped = (lane & 15) < 8 ? 8 + (lane & 7) : (lane & 7);
  o[0] = host_from_lane(x, (lane & ~15u) | swapped);
  o[1] = host_from_lane(x, ((lane ^ 16) & ~15u) | swapped);
  o[2] = host_from_lane(x, (lane & ~7u) | (lane * 3 + 1 & 7));
#else
  o[0] = __builtin_amdgcn_permlane16(y, x, 0xfedcba98, 0x76543210, false, false);
  o[1] = __builtin_amdgcn_permlanex16(y, x, 0xfedcba98, 0x76543210, false, false);
  o[2] = __builtin_amdgcn_mov_dpp8(x, 1u | 4u << 3 | 7u << 6 | 2u << 9 | 5u << 12 | 0u << 15 | 3u << 18 | 6u << 21);
#endif
}
#endif

//! kernel wave_votes global 64 local 32
//! in uint 64 any
//! out uint 192
kernel void wave_votes(global const uint* a, global uint* out) {
  const size_t i = get_global_id(0);
  const uint x = a[i], lane = get_local_id(0);
#ifdef SPALT_HOST
  uint mask = 0, first = 0;
  for (uint k = 0; k < 32; ++k) {
    const uint other = host_from_lane(x, k);
    if ((other & 3) != 0) mask |= 1u << k;
    if (k == 0) first = other;
  }
  out[i * 3] = mask;
  out[i * 3 + 1] = first;
  uint sent = 0;
  for (uint k = 0; k < 32; ++k) {
    const uint other = host_from_lane(x, k);
    if ((k * 5 & 31) == lane) sent = other;
  }
  out[i * 3 + 2] = sent;
#else
  out[i * 3] = (uint)__builtin_amdgcn_ballot_w64((x & 3) != 0);
  out[i * 3 + 1] = __builtin_amdgcn_readfirstlane(x);
  out[i * 3 + 2] = (uint)__builtin_amdgcn_ds_permute((int)(lane * 5 & 31) * 4, (int)x);
#endif
}

//! kernel counters global 192 local 64
//! in uint 192 range 1 50
//! inout uint 4 any
//! inout uint 384 any
//! out uint 192
// Increment and decrement that wrap: atomics of the hardware. The order does not matter for the shared ones, all with one limit.
kernel void counters(global const uint* in, global uint* shared_places, global uint* own, global uint* out) {
  local uint bins[64];
  const size_t i = get_global_id(0), l = get_local_id(0);
  bins[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef SPALT_HOST
  shared_places[0] = shared_places[0] >= 100u ? 0 : shared_places[0] + 1;
  shared_places[1] = shared_places[1] == 0 || shared_places[1] > 70u ? 70u : shared_places[1] - 1;
  uint r = own[2 * i];
  own[2 * i] = own[2 * i] >= in[i] ? 0 : own[2 * i] + 1;
  r = r * 3 + own[2 * i + 1];
  own[2 * i + 1] = own[2 * i + 1] == 0 || own[2 * i + 1] > in[i] ? in[i] : own[2 * i + 1] - 1;
  r = r * 3 + bins[l];
  bins[l] = bins[l] >= 20u ? 0 : bins[l] + 1;
  r = r * 3 + bins[l];
  bins[l] = bins[l] == 0 || bins[l] > 9u ? 9u : bins[l] - 1;
#else
  __builtin_amdgcn_atomic_inc32(shared_places, 100u, __ATOMIC_RELAXED, "agent");
  __builtin_amdgcn_atomic_dec32(shared_places + 1, 70u, __ATOMIC_RELAXED, "agent");
  uint r = __builtin_amdgcn_atomic_inc32(own + 2 * i, in[i], __ATOMIC_RELAXED, "agent");
  r = r * 3 + __builtin_amdgcn_atomic_dec32(own + 2 * i + 1, in[i], __ATOMIC_RELAXED, "agent");
  r = r * 3 + __builtin_amdgcn_atomic_inc32(bins + l, 20u, __ATOMIC_RELAXED, "workgroup");
  r = r * 3 + __builtin_amdgcn_atomic_dec32(bins + l, 9u, __ATOMIC_RELAXED, "workgroup");
#endif
  out[i] = r * 5 + bins[l];
}

//! kernel float_lds global 64 local 64
//! in float 64 range -100 100
//! out float 256
kernel void float_lds(global const float* in, global float* out) {
  local float places[192];
  local float totals[2];
  const size_t l = get_local_id(0);
  const float x = in[l];
  for (int k = 0; k < 3; ++k) places[l + 64 * k] = 1.5f * (float)k;
  if (l < 2) totals[l] = 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef SPALT_HOST
  float r = places[l];
  places[l] += x;
  r += places[l + 64];
  places[l + 64] = fmin(places[l + 64], x);
  r += places[l + 128];
  places[l + 128] = fmax(places[l + 128], x);
  totals[0] = fmin(totals[0], x);
  totals[1] = fmax(totals[1], x);
#else
  float r = __builtin_amdgcn_ds_faddf(places + l, x, 0, 0, false);
  r += __builtin_amdgcn_ds_fminf(places + l + 64, x, 0, 0, false);
  r += __builtin_amdgcn_ds_fmaxf(places + l + 128, x, 0, 0, false);
  __builtin_amdgcn_ds_fminf(totals, x, 0, 0, false);
  __builtin_amdgcn_ds_fmaxf(totals + 1, x, 0, 0, false);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[4 * l] = r;
  out[4 * l + 1] = places[l];
  out[4 * l + 2] = places[l + 64] * 3 + places[l + 128];
  out[4 * l + 3] = totals[l & 1];
}

//! kernel halves_d16 global 128 local 64
//! in ushort 260 any
//! in uchar 260 any
//! out ushort 512
//! out uchar 256
// Narrow loads into one half of a register, stores from the upper half.
kernel void halves_d16(global const ushort* a, global const uchar* b, global ushort* out, global uchar* bytes) {
  local ushort shared[128];
  const size_t i = get_global_id(0), l = get_local_id(0);
  shared[l] = a[i];
  shared[l + 64] = a[i + 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  const ushort2 x = (ushort2)(a[i], a[i * 2]) + (ushort2)(b[i], b[2 * i + 1]);
  const short2 y = (short2)((char)b[i + 2], (char)b[i + 4]) * (short2)(3, 5);
  const ushort2 z = (ushort2)(shared[63 - l], shared[64 + (l ^ 9)]) ^ x;
  out[4 * i] = x.y;
  out[4 * i + 1] = as_ushort2(y).y;
  out[4 * i + 2] = z.y;
  out[4 * i + 3] = z.x + x.x + as_ushort2(y).x;
  bytes[2 * i] = (uchar)z.y;
  bytes[2 * i + 1] = (uchar)(x.x >> 8);
}

#if defined(__GFX11__) || defined(__GFX12__)
#define WALL_CLOCK() __builtin_amdgcn_s_sendmsg_rtnl(0x83)
#else
#define WALL_CLOCK() __builtin_amdgcn_s_memrealtime()
#endif

//! kernel clocks global 64 local 64
//! out uint 64
kernel void clocks(global uint* out) {
#ifdef SPALT_HOST
  out[get_global_id(0)] = 1;
#else
  const ulong before = __builtin_readcyclecounter();
  const ulong wall = WALL_CLOCK();
  __builtin_amdgcn_s_sleep(1);
  const ulong after = __builtin_readcyclecounter();
  out[get_global_id(0)] = after > before && WALL_CLOCK() > wall;
#endif
}
