// SPDX-License-Identifier: MIT
// Operations that IEEE 754 rounds correctly, bit for bit, for every float width and every kind of number.
//! options -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define BASIC(T)                                                                                         \
  kernel void basic_##T(global const T* a, global const T* b, global const T* c, global T* out) {        \
    const size_t i = get_global_id(0);                                                                   \
    const T x = a[i], y = b[i], z = c[i];                                                                \
    global T* o = out + i * 12;                                                                          \
    o[0] = x + y;                                                                                        \
    o[1] = x - y;                                                                                        \
    o[2] = x * y;                                                                                        \
    o[3] = x / y;                                                                                        \
    o[4] = fma(x, y, z);                                                                                 \
    o[5] = fma(-x, y, fabs(z));                                                                          \
    o[6] = x * y + z;                                                                                    \
    o[7] = sqrt(x);                                                                                      \
    o[8] = -fabs(x) * (T)2 + (T)0.5 * y;                                                                 \
    o[9] = (x < y ? x : z) - (T)4 * y;                                                                   \
    o[10] = x + (T)1 + (T)0.125 * -z;                                                                    \
    o[11] = rint(x) - trunc(y) + floor(z) * ceil(x);                                                     \
  }
//! kernel basic_half global 600 local 64
//! in half 600 any
//! in half 600 any
//! in half 600 any
//! out half 7200
BASIC(half)
//! kernel basic_float global 600 local 64
//! in float 600 any
//! in float 600 any
//! in float 600 any
//! out float 7200
BASIC(float)
//! kernel basic_double global 600 local 64
//! in double 600 any
//! in double 600 any
//! in double 600 any
//! out double 7200
BASIC(double)

#define COMPARISONS(T)                                                                                   \
  kernel void compare_##T(global const T* a, global const T* b, global int* out) {                       \
    const size_t i = get_global_id(0);                                                                   \
    const T x = a[i], y = b[i];                                                                          \
    int r = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x >= y) << 4 | (x > y) << 5;      \
    r |= isunordered(x, y) << 6 | isordered(x, y) << 7 | islessgreater(x, y) << 8 | !(x < y) << 9;       \
    r |= !(x <= y) << 10 | !(x >= y) << 11 | !(x > y) << 12 | !islessgreater(x, y) << 13;                \
    r |= isnan(x) << 14 | isinf(x) << 15 | isfinite(x) << 16 | isnormal(x) << 17 | signbit(x) << 18;     \
    r |= isequal(x, y) << 19 | isnotequal(x, y) << 20 | isgreater(x, y) << 21 | isless(x, -y) << 22;     \
    out[i] = r;                                                                                          \
  }
//! kernel compare_half global 600 local 64
//! in half 600 any
//! in half 600 any
//! out int 600
COMPARISONS(half)
//! kernel compare_float global 600 local 64
//! in float 600 any
//! in float 600 any
//! out int 600
COMPARISONS(float)
//! kernel compare_double global 600 local 64
//! in double 600 any
//! in double 600 any
//! out int 600
COMPARISONS(double)

// Branches on comparisons: the compares of scalar and vector control flow.
#define BRANCHES(T)                                                                                      \
  kernel void branches_##T(global const T* a, global const T* b, global int* out) {                      \
    const size_t i = get_global_id(0);                                                                   \
    int r = 0;                                                                                           \
    for (int k = 0; k < 5; ++k) {                                                                        \
      const T x = a[i + k], y = b[i + k * 2];                                                            \
      if (x < y) r += 1;                                                                                 \
      else if (!(x <= y)) r ^= 16;                                                                       \
      if (x > (T)1) { r = r * 3 + k; if (y != y) break; }                                                \
      else if (!(y > (T)-2)) r -= 7;                                                                     \
    }                                                                                                    \
    out[i] = r;                                                                                          \
  }
//! kernel branches_half global 200 local 64
//! in half 220 any
//! in half 220 any
//! out int 200
BRANCHES(half)
//! kernel branches_float global 200 local 64
//! in float 220 any
//! in float 220 any
//! out int 200
BRANCHES(float)
//! kernel branches_double global 200 local 64
//! in double 220 any
//! in double 220 any
//! out int 200
BRANCHES(double)

#define SELECTIONS(T, I)                                                                                 \
  kernel void selections_##T(global const T* a, global const T* b, global const T* c, global T* out) {   \
    const size_t i = get_global_id(0);                                                                   \
    const T x = a[i], y = b[i], z = c[i];                                                                \
    global T* o = out + i * 8;                                                                           \
    o[0] = fmax(fmax(x, y), z);                                                                          \
    o[1] = fmin(fmin(x, y), z);                                                                          \
    o[2] = fmin(fmax(x, y), z);                                                                          \
    o[3] = clamp(x, (T)0, (T)1);                                                                         \
    o[4] = clamp(x + y, (T)0, (T)1);                                                                     \
    o[5] = copysign(x, y);                                                                               \
    o[6] = bitselect(x, y, z);                                                                           \
    o[7] = fmax(x, (T)0) + fmin(-y, (T)2);                                                               \
  }
//! kernel selections_half global 300 local 64
//! in half 300 number
//! in half 300 number
//! in half 300 number
//! out half 2400 zero
SELECTIONS(half, short)
//! kernel selections_float global 300 local 64
//! in float 300 number
//! in float 300 number
//! in float 300 number
//! out float 2400 zero
SELECTIONS(float, int)
//! kernel selections_double global 300 local 64
//! in double 300 number
//! in double 300 number
//! in double 300 number
//! out double 2400 zero
SELECTIONS(double, long)

//! kernel narrowing global 300 local 64
//! in double 300 any
//! in float 300 any
//! out float 300
//! out half 600
//! out double 300
kernel void narrowing(global const double* a, global const float* b, global float* f, global half* h, global double* d) {
  const size_t i = get_global_id(0);
  f[i] = (float)a[i];
  h[2 * i] = (half)b[i];
  h[2 * i + 1] = (half)a[i];
  d[i] = (double)b[i] + (double)h[2 * i];
}

//! kernel mixed_half global 300 local 64
//! in half 300 finite
//! in half 300 finite
//! in float 300 finite
//! out float 900
//! out half 900
// Products of halves in floats: fma_mix.
kernel void mixed_half(global const half* a, global const half* b, global const float* c, global float* f, global half* h) {
  const size_t i = get_global_id(0);
  f[3 * i] = fma((float)a[i], (float)b[i], c[i]);
  f[3 * i + 1] = fma(c[i], (float)a[i], -(float)b[i]);
  f[3 * i + 2] = fma((float)a[i], fabs((float)b[i]), (float)a[i]);
  h[3 * i] = (half)fma((float)a[i], (float)b[i], c[i]);
  h[3 * i + 1] = (half)fma((float)a[i], (float)b[i], (float)a[i]);
  h[3 * i + 2] = fma(a[i], b[i], a[i]);
}
