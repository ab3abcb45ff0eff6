// SPDX-License-Identifier: MIT
// Every mathematical function of the OpenCL C library for double, within the error that the specification allows
// (OpenCL C, "Relative error as ULPs"); the host computes in a wider type and rounds once.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define UNARY(NAME)                                                                           \
  kernel void NAME##_of(global const T* a, global T* out) {                                   \
    const size_t i = get_global_id(0);                                                        \
    out[i] = NAME(a[i]);                                                                      \
  }
#define BINARY(NAME)                                                                          \
  kernel void NAME##_of(global const T* a, global const T* b, global T* out) {                \
    const size_t i = get_global_id(0);                                                        \
    out[i] = NAME(a[i], b[i]);                                                                \
  }
#define WITH_INT(NAME)                                                                        \
  kernel void NAME##_of(global const T* a, global const int* b, global T* out) {              \
    const size_t i = get_global_id(0);                                                        \
    out[i] = NAME(a[i], b[i]);                                                                \
  }
typedef double T;

//! kernel ceil_of fabs_of floor_of rint_of round_of trunc_of logb_of global 252 local 64
//! in double 252 any
//! out double 252
UNARY(ceil) UNARY(fabs) UNARY(floor) UNARY(rint) UNARY(round) UNARY(trunc) UNARY(logb)

//! kernel copysign_of fdim_of fmod_of remainder_of global 252 local 64
//! in double 252 finite
//! in double 252 finite
//! out double 252
BINARY(copysign) BINARY(fdim) BINARY(fmod) BINARY(remainder)

// Which of two zeros is the smaller one is not specified, nor is the sign of the zero next to a denormal.
//! kernel fmax_of fmin_of maxmag_of minmag_of nextafter_of global 252 local 64
//! in double 252 finite
//! in double 252 finite
//! out double 252 zero
BINARY(fmax) BINARY(fmin) BINARY(maxmag) BINARY(minmag) BINARY(nextafter)

//! kernel ldexp_of global 252 local 64
//! in double 252 finite
//! in int 252 range -40 40
//! out double 252
WITH_INT(ldexp)

//! kernel acos_of asin_of global 252 local 64
//! in double 252 range -1 1
//! out double 252 ulp 4
UNARY(acos) UNARY(asin)

//! kernel acospi_of asinpi_of atanh_of global 252 local 64
//! in double 252 range -1 1
//! out double 252 ulp 5
UNARY(acospi) UNARY(asinpi) UNARY(atanh)

//! kernel acosh_of global 252 local 64
//! in double 252 positive 0 100
//! out double 252 ulp 4
UNARY(acosh)

//! kernel asinh_of global 252 local 64
//! in double 252 magnitude -100 100
//! out double 252 ulp 4
UNARY(asinh)

//! kernel atan_of atanpi_of global 252 local 64
//! in double 252 magnitude -100 100
//! out double 252 ulp 5
UNARY(atan) UNARY(atanpi)

//! kernel cbrt_of global 252 local 64
//! in double 252 magnitude -100 100
//! out double 252 ulp 2
UNARY(cbrt)

//! kernel sin_of cos_of global 252 local 64
//! in double 252 magnitude -100 30
//! out double 252 ulp 4
UNARY(sin) UNARY(cos)

//! kernel tan_of global 252 local 64
//! in double 252 magnitude -100 30
//! out double 252 ulp 5
UNARY(tan)

//! kernel sinpi_of cospi_of global 252 local 64
//! in double 252 range -9 9
//! out double 252 ulp 4
UNARY(sinpi) UNARY(cospi)

//! kernel tanpi_of global 252 local 64
//! in double 252 range -9 9
//! out double 252 ulp 6
UNARY(tanpi)

//! kernel exp_of expm1_of global 252 local 64
//! in double 252 range -700 700
//! out double 252 ulp 3
UNARY(exp) UNARY(expm1)

//! kernel exp2_of global 252 local 64
//! in double 252 range -1000 1000
//! out double 252 ulp 3
UNARY(exp2)

//! kernel exp10_of global 252 local 64
//! in double 252 range -300 300
//! out double 252 ulp 3
UNARY(exp10)

//! kernel sinh_of cosh_of global 252 local 64
//! in double 252 range -700 700
//! out double 252 ulp 4
UNARY(sinh) UNARY(cosh)

//! kernel tanh_of global 252 local 64
//! in double 252 range -700 700
//! out double 252 ulp 5
UNARY(tanh)

//! kernel erf_of global 252 local 64
//! in double 252 range -5 5
//! out double 252 ulp 16
UNARY(erf)

//! kernel erfc_of global 252 local 64
//! in double 252 range -2 8
//! out double 252 ulp 16
UNARY(erfc)

//! kernel log_of log2_of log10_of global 252 local 64
//! in double 252 positive -100 100
//! out double 252 ulp 3
UNARY(log) UNARY(log2) UNARY(log10)

//! kernel rsqrt_of log1p_of global 252 local 64
//! in double 252 positive -100 100
//! out double 252 ulp 2
UNARY(rsqrt) UNARY(log1p)

//! kernel sqrt_of global 252 local 64
//! in double 252 positive -100 100
//! out double 252
UNARY(sqrt)

//! kernel tgamma_of global 252 local 64
//! in double 252 range 0.1 160
//! out double 252 ulp 16
UNARY(tgamma)

//! kernel lgamma_of global 252 local 64
//! in double 252 positive -2 20
//! out double 252 ulp 512 abs 1e-12
UNARY(lgamma)

//! kernel atan2_of global 252 local 64
//! in double 252 magnitude -50 50
//! in double 252 magnitude -50 50
//! out double 252 ulp 6
BINARY(atan2)

//! kernel atan2pi_of global 252 local 64
//! in double 252 magnitude -50 50
//! in double 252 magnitude -50 50
//! out double 252 ulp 6
BINARY(atan2pi)

//! kernel hypot_of global 252 local 64
//! in double 252 magnitude -50 50
//! in double 252 magnitude -50 50
//! out double 252 ulp 4
BINARY(hypot)

//! kernel pow_of global 252 local 64
//! in double 252 positive -4 4
//! in double 252 range -200 200
//! out double 252 ulp 16
BINARY(pow)

//! kernel powr_of global 252 local 64
//! in double 252 positive -4 4
//! in double 252 range -200 200
//! out double 252 ulp 16
BINARY(powr)

//! kernel pown_of global 252 local 64
//! in double 252 magnitude -3 3
//! in int 252 range -12 12
//! out double 252 ulp 16
WITH_INT(pown)

//! kernel rootn_of global 252 local 64
//! in double 252 positive -100 100
//! in int 252 range 1 9
//! out double 252 ulp 16
WITH_INT(rootn)

//! kernel split global 252 local 64
//! in double 252 finite
//! out double 1260
//! out int 504
kernel void split(global const T* a, global T* out, global int* integers) {
  const size_t i = get_global_id(0);
  int exponent;
  T whole, floor_part;
  out[i * 5] = frexp(a[i], &exponent);
  out[i * 5 + 1] = modf(a[i], &whole);
  out[i * 5 + 2] = whole;
  out[i * 5 + 3] = fract(a[i], &floor_part);
  out[i * 5 + 4] = floor_part;
  integers[i * 2] = a[i] == (T)0 ? 0 : exponent;
  integers[i * 2 + 1] = ilogb(a[i]);
}

//! kernel remquo_of global 252 local 64
//! in double 252 finite
//! in double 252 magnitude -3 3
//! out double 252
//! out int 252
// At least seven bits of the quotient come out here, three on the host.
kernel void remquo_of(global const T* a, global const T* b, global T* out, global int* quotient) {
  const size_t i = get_global_id(0);
  int q;
  const T x = ldexp(b[i], 3) * (T)fmod(a[i], (T)4);
  out[i] = remquo(x, b[i], &q);
  quotient[i] = abs(q) & 7;
}

//! kernel sincos_of global 252 local 64
//! in double 252 magnitude -100 30
//! out double 504 ulp 4
kernel void sincos_of(global const T* a, global T* out) {
  const size_t i = get_global_id(0);
  T c;
  out[i * 2] = sincos(a[i], &c);
  out[i * 2 + 1] = c;
}
