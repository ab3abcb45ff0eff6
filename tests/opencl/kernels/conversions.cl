// SPDX-License-Identifier: MIT
// Conversions between all types, in every rounding mode, saturated and not.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define INTEGERS_FROM(F, SUFFIX)                                                                          \
  b[0] = convert_char##SUFFIX(x), b[1] = (char)convert_uchar##SUFFIX(x);                                  \
  h[0] = convert_short##SUFFIX(x), h[1] = (short)convert_ushort##SUFFIX(x);                               \
  w[0] = convert_int##SUFFIX(x), w[1] = (int)convert_uint##SUFFIX(x);                                     \
  d[0] = convert_long##SUFFIX(x), d[1] = (long)convert_ulong##SUFFIX(x);                                  \
  b += 2, h += 2, w += 2, d += 2;
// Saturating in all modes: defined for every number. (NaN should give 0; the device library 5.2 does otherwise.)
#define SATURATE(F)                                                                                       \
  kernel void saturate_##F(global const F* in, global char* b, global short* h, global int* w, global long* d) { \
    const size_t i = get_global_id(0);                                                                    \
    const F x = in[i];                                                                                    \
    b += i * 10, h += i * 10, w += i * 10, d += i * 10;                                                   \
    INTEGERS_FROM(F, _sat) INTEGERS_FROM(F, _sat_rte) INTEGERS_FROM(F, _sat_rtz)                          \
    INTEGERS_FROM(F, _sat_rtp) INTEGERS_FROM(F, _sat_rtn)                                                 \
  }
//! kernel saturate_half global 252 local 64
//! in half 252 number
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
SATURATE(half)
//! kernel saturate_float global 252 local 64
//! in float 252 number
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
SATURATE(float)
//! kernel saturate_double global 252 local 64
//! in double 252 number
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
SATURATE(double)
//! kernel saturate_int global 252 local 64
//! in int 252 any
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
SATURATE(int)
//! kernel saturate_ulong global 252 local 64
//! in ulong 252 any
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
SATURATE(ulong)
//! kernel saturate_short global 252 local 64
//! in short 252 any
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
SATURATE(short)

// Without saturation, of values that fit.
#define PLAIN(F)                                                                                          \
  kernel void plain_##F(global const F* in, global char* b, global short* h, global int* w, global long* d) { \
    const size_t i = get_global_id(0);                                                                    \
    const F x = in[i];                                                                                    \
    b += i * 10, h += i * 10, w += i * 10, d += i * 10;                                                   \
    INTEGERS_FROM(F, ) INTEGERS_FROM(F, _rte) INTEGERS_FROM(F, _rtz) INTEGERS_FROM(F, _rtp)               \
    INTEGERS_FROM(F, _rtn)                                                                                \
  }
//! kernel plain_half global 252 local 64
//! in half 252 range 0 127
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
PLAIN(half)
//! kernel plain_float global 252 local 64
//! in float 252 range 0 126.9
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
PLAIN(float)
//! kernel plain_double global 252 local 64
//! in double 252 range 0 126.9
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
PLAIN(double)
//! kernel plain_long global 252 local 64
//! in long 252 any
//! out char 2520
//! out short 2520
//! out int 2520
//! out long 2520
PLAIN(long)

#define FLOATS_FROM(SUFFIX)                                                                               \
  h[0] = convert_half##SUFFIX(x), w[0] = convert_float##SUFFIX(x), d[0] = convert_double##SUFFIX(x);      \
  ++h, ++w, ++d;
#define TO_FLOATS(F)                                                                                      \
  kernel void floats_##F(global const F* in, global half* h, global float* w, global double* d) {         \
    const size_t i = get_global_id(0);                                                                    \
    const F x = in[i];                                                                                    \
    h += i * 5, w += i * 5, d += i * 5;                                                                   \
    FLOATS_FROM() FLOATS_FROM(_rte) FLOATS_FROM(_rtz) FLOATS_FROM(_rtp) FLOATS_FROM(_rtn)                 \
  }
// To half, the device library 5.2 rounds signed integers as it should in these two modes alone.
#define FROM_SIGNED(F)                                                                                    \
  kernel void floats_##F(global const F* in, global half* h, global float* w, global double* d) {         \
    const size_t i = get_global_id(0);                                                                    \
    const F x = in[i];                                                                                    \
    h += i * 5, w += i * 5, d += i * 5;                                                                   \
    FLOATS_FROM() FLOATS_FROM(_rte)                                                                       \
    w[0] = convert_float_rtz(x), w[1] = convert_float_rtp(x), w[2] = convert_float_rtn(x);                \
    d[0] = convert_double_rtz(x), d[1] = convert_double_rtp(x), d[2] = convert_double_rtn(x);             \
  }
//! kernel floats_char global 252 local 64
//! in char 252 any
//! out half 1260
//! out float 1260
//! out double 1260
FROM_SIGNED(char)
//! kernel floats_uchar global 252 local 64
//! in uchar 252 any
//! out half 1260
//! out float 1260
//! out double 1260
TO_FLOATS(uchar)
//! kernel floats_short global 252 local 64
//! in short 252 any
//! out half 1260
//! out float 1260
//! out double 1260
FROM_SIGNED(short)
//! kernel floats_ushort global 252 local 64
//! in ushort 252 any
//! out half 1260
//! out float 1260
//! out double 1260
TO_FLOATS(ushort)
//! kernel floats_int global 252 local 64
//! in int 252 any
//! out half 1260
//! out float 1260
//! out double 1260
FROM_SIGNED(int)
//! kernel floats_uint global 252 local 64
//! in uint 252 any
//! out half 1260
//! out float 1260
//! out double 1260
TO_FLOATS(uint)
//! kernel floats_long global 252 local 64
//! in long 252 any
//! out half 1260
//! out float 1260
//! out double 1260
FROM_SIGNED(long)
//! kernel floats_ulong global 252 local 64
//! in ulong 252 any
//! out half 1260
//! out float 1260
//! out double 1260
TO_FLOATS(ulong)
//! kernel floats_half global 252 local 64
//! in half 252 any
//! out half 1260
//! out float 1260
//! out double 1260
TO_FLOATS(half)
//! kernel floats_float global 252 local 64
//! in float 252 any
//! out half 1260
//! out float 1260
//! out double 1260
TO_FLOATS(float)
//! kernel floats_double global 252 local 64
//! in double 252 any
//! out half 1260
//! out float 1260
//! out double 1260
TO_FLOATS(double)

//! kernel vectors global 63 local 32
//! in float 252 number
//! in int 252 any
//! out uchar 252
//! out float 252
//! out half 252
kernel void vectors(global const float4* a, global const int4* b, global uchar4* bytes, global float4* floats,
                    global half4* halves) {
  const size_t i = get_global_id(0);
  bytes[i] = convert_uchar4_sat_rte(a[i]);
  floats[i] = convert_float4_rtz(b[i]);
  halves[i] = convert_half4_rtp(a[i]);
}
