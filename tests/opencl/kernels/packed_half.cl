// SPDX-License-Identifier: MIT
// Pairs of halves: packed arithmetic.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
//! kernel packed global 300 local 64
//! in half 600 any
//! in half 600 any
//! in half 600 any
//! out half 6000
kernel void packed(global const half2* a, global const half2* b, global const half2* c, global half2* out) {
  const size_t i = get_global_id(0);
  const half2 x = a[i], y = b[i], z = c[i];
  global half2* o = out + i * 10;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = fma(x, y, z);
  o[4] = fma(-x, y.yx, z.xx);
  o[5] = x * y.yy + z.yx;
  o[6] = (half2)(x.x + y.y, x.y * z.x);
  o[7] = -x + (half2)(1.0h, 2.0h);
  o[8] = x * (half2)(0.5h) - y.xx;
  o[9] = fma(x.yx, (half2)(-4.0h, 4.0h), y);
}

//! kernel packed_minmax global 300 local 64
//! in half 600 number
//! in half 600 number
//! out half 2400 zero
kernel void packed_minmax(global const half2* a, global const half2* b, global half2* out) {
  const size_t i = get_global_id(0);
  const half2 x = a[i], y = b[i];
  out[4 * i] = fmax(x, y);
  out[4 * i + 1] = fmin(x, y.yx);
  out[4 * i + 2] = fmin(fmax(x, (half2)(0.0h)), (half2)(1.0h));
  out[4 * i + 3] = fmax(fmin(-x, y), (half2)(-8.0h));
}

//! kernel half4_mix global 150 local 64
//! in half 600 finite
//! in half 600 finite
//! out half 1800
kernel void half4_mix(global const half4* a, global const half4* b, global half4* out) {
  const size_t i = get_global_id(0);
  const half4 x = a[i], y = b[i];
  out[3 * i] = x.wxzy * y + x;
  out[3 * i + 1] = (half4)(x.lo - y.hi, y.lo * x.hi);
  out[3 * i + 2] = x.x > y.x ? x * x : y + (half4)(x.y);
}

//! kernel half_dot global 128 local 64
//! in half 512 range -8 8
//! in half 512 range -8 8
//! out float 128 ulp 8
// Sums of four exact products; the order of additions is the source's.
kernel void half_dot(global const half4* a, global const half4* b, global float* out) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum = fma((float)a[i][k], (float)b[i][k], sum);
  out[i] = sum;
}

//! kernel fma_chain global 128 local 64
//! in half 256 range -1 1
//! out half 256
kernel void fma_chain(global const half2* a, global half2* out) {
  const size_t i = get_global_id(0);
  half2 r = (half2)(0.25h, -0.5h);
  for (int k = 0; k < 9; ++k) r = fma(r, a[i], (half2)((half)k, (half)(k + 1)));
  out[i] = r;
}
