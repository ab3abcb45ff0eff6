// SPDX-License-Identifier: MIT
// Vector types: swizzles, component-wise operations, comparisons, shuffles, dynamic components, common and geometric functions.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

//! kernel swizzles global 64 local 64
//! in uint 1024 any
//! out uint 1024
kernel void swizzles(global const uint16* in, global uint16* out) {
  const size_t i = get_global_id(0);
  uint16 x = in[i];
  x.s37 = x.s5a;
  x.hi.lo = x.odd.even.xyxy.xyzw;
  x.s0 = x.sf + x.s8;
  x.even += x.odd.s76543210;
  out[i] = x;
}

//! kernel dynamic_component global 128 local 64
//! in int 512 any
//! in uint 128 range 0 4
//! out int 512
kernel void dynamic_component(global const int4* in, global const uint* at, global int4* out) {
  const size_t i = get_global_id(0);
  int4 x = in[i];
  x[at[i]] += x[(at[i] + 1) & 3];
  out[i] = x;
}

//! kernel comparisons global 64 local 64
//! in float 256 any
//! in float 256 any
//! out int 512
//! out float 256
kernel void comparisons(global const float4* a, global const float4* b, global int4* out, global float4* selected) {
  const size_t i = get_global_id(0);
  out[2 * i] = (a[i] < b[i]) | (a[i] == b[i]) << 1 | isnan(a[i]) << 2 | isunordered(a[i], b[i]) << 3;
  out[2 * i + 1] = (int4)(any(a[i] > b[i]), all(a[i] > b[i]), any(isinf(b[i])), all(isfinite(a[i])));
  selected[i] = select(a[i], b[i], isgreaterequal(a[i], b[i]));
}

//! kernel shuffles global 64 local 64
//! in uint 256 any
//! in uint 256 any
//! in uint 256 any
//! out uint 512
kernel void shuffles(global const uint4* a, global const uint4* b, global const uint4* mask, global uint4* out) {
  const size_t i = get_global_id(0);
  out[2 * i] = shuffle(a[i], mask[i]);
  out[2 * i + 1] = shuffle2(a[i], b[i], mask[i]);
}

//! kernel casts global 64 local 64
//! in uint 128 any
//! out ulong 64
//! out ushort 256
//! out uchar 256
//! out double 64
kernel void casts(global const uint2* in, global ulong* a, global ushort4* b, global uchar4* c, global double* d) {
  const size_t i = get_global_id(0);
  a[i] = as_ulong(in[i]);
  b[i] = as_ushort4(in[i]).yxwz;
  c[i] = as_uchar4(in[i].y) + as_uchar8(in[i]).even;
  d[i] = as_double(in[i]);
}

//! kernel long_vectors global 64 local 64
//! in long 256 any
//! in long 256 any
//! out long 256
kernel void long_vectors(global const long4* a, global const long4* b, global long4* out) {
  const size_t i = get_global_id(0);
  out[i] = a[i] * b[i].wzyx + (a[i] >> (b[i] & 63l)) - max(a[i], b[i]);
}

//! kernel geometric global 64 local 64
//! in float 256 range -8 8
//! in float 256 range -8 8
//! out float 256 ulp 64 abs 1e-4
//! out float 256 ulp 16 abs 1e-4
kernel void geometric(global const float4* a, global const float4* b, global float* out, global float4* vectors) {
  const size_t i = get_global_id(0);
  out[4 * i] = dot(a[i], b[i]);
  out[4 * i + 1] = length(a[i]);
  out[4 * i + 2] = distance(a[i], b[i]);
  out[4 * i + 3] = length(b[i].xy);
  vectors[i] = normalize(a[i]) + (float4)(cross(a[i].xyz, b[i].xyz), 0.0f);
}

//! kernel common_float global 256 local 64
//! in float 256 range -4 4
//! in float 256 range -4 4
//! out float 2048 ulp 4 abs 1e-6
kernel void common_float(global const float* a, global const float* b, global float* out) {
  const size_t i = get_global_id(0);
  const float x = a[i], y = b[i];
  out[8 * i] = clamp(x, -1.5f, y + 6.0f);
  out[8 * i + 1] = degrees(x);
  out[8 * i + 2] = radians(y);
  out[8 * i + 3] = mix(x, y, 0.25f);
  out[8 * i + 4] = step(x, y);
  out[8 * i + 5] = smoothstep(-2.0f, 3.0f, x);
  out[8 * i + 6] = sign(x) + sign(-y) * 3.0f;
  out[8 * i + 7] = max(x, y) - min(x, y);
}

//! kernel common_double global 256 local 64
//! in double 256 range -4 4
//! in double 256 range -4 4
//! out double 2048 ulp 4 abs 1e-14
kernel void common_double(global const double* a, global const double* b, global double* out) {
  const size_t i = get_global_id(0);
  const double x = a[i], y = b[i];
  out[8 * i] = clamp(x, -1.5, y + 6.0);
  out[8 * i + 1] = degrees(x);
  out[8 * i + 2] = radians(y);
  out[8 * i + 3] = mix(x, y, 0.25);
  out[8 * i + 4] = step(x, y);
  out[8 * i + 5] = smoothstep(-2.0, 3.0, x);
  out[8 * i + 6] = sign(x) + sign(-y) * 3.0;
  out[8 * i + 7] = max(x, y) - min(x, y);
}

//! kernel native global 256 local 64
//! in float 256 range 0.1 8
//! out float 3328 ulp 4096 abs 2e-4
// Approximations: the specification leaves their error open; these are what one would still call right.
kernel void native(global const float* a, global float* out) {
  const size_t i = get_global_id(0);
  const float x = a[i];
  global float* o = out + i * 13;
  o[0] = native_sin(x);
  o[1] = native_cos(x);
  o[2] = native_exp(x * 0.5f);
  o[3] = native_exp2(x);
  o[4] = native_exp10(x * 0.25f);
  o[5] = native_log(x);
  o[6] = native_log2(x);
  o[7] = native_log10(x);
  o[8] = native_sqrt(x);
  o[9] = native_rsqrt(x);
  o[10] = native_recip(x);
  o[11] = native_divide(x, 3.0f);
  o[12] = half_powr(x, 1.5f) + half_recip(x) + half_sqrt(x) + half_divide(1.0f, x);
}
