// SPDX-License-Identifier: MIT
// The integer functions of OpenCL C for every type, as scalars and as vectors of four.
// abs_diff of the device library 5.2 is wrong where the difference overflows.
#define FUNCTIONS(T, U)                                                                             \
  kernel void functions_##T(global const T* a, global const T* b, global const T* c, global T* out, \
                            global U* unsigned_out) {                                               \
    const size_t i = get_global_id(0);                                                              \
    const T x = a[i], y = b[i], z = c[i];                                                           \
    global T* o = out + i * 14;                                                                     \
    o[0] = add_sat(x, y);                                                                           \
    o[1] = sub_sat(x, y);                                                                           \
    o[2] = hadd(x, y);                                                                              \
    o[3] = rhadd(x, y);                                                                             \
    o[4] = clamp(x, min(y, z), max(y, z));                                                          \
    o[5] = clz(x);                                                                                  \
    o[6] = mad_hi(x, y, z);                                                                         \
    o[7] = mad_sat(x, y, z);                                                                        \
    o[8] = mul_hi(x, y);                                                                            \
    o[9] = rotate(x, y);                                                                            \
    o[10] = popcount(x);                                                                            \
    o[11] = bitselect(x, y, z);                                                                     \
    o[12] = max(max(x, y), z);                                                                      \
    o[13] = ctz(y);                                                                                 \
    unsigned_out[2 * i] = abs(x);                                                                   \
    unsigned_out[2 * i + 1] = abs_diff((T)(x / 2), (T)(y / 2));                                     \
  }
//! kernel functions_char global 300 local 64
//! in char 300 any
//! in char 300 any
//! in char 300 any
//! out char 4200
//! out uchar 600
FUNCTIONS(char, uchar)
//! kernel functions_uchar global 300 local 64
//! in uchar 300 any
//! in uchar 300 any
//! in uchar 300 any
//! out uchar 4200
//! out uchar 600
FUNCTIONS(uchar, uchar)
//! kernel functions_short global 300 local 64
//! in short 300 any
//! in short 300 any
//! in short 300 any
//! out short 4200
//! out ushort 600
FUNCTIONS(short, ushort)
//! kernel functions_ushort global 300 local 64
//! in ushort 300 any
//! in ushort 300 any
//! in ushort 300 any
//! out ushort 4200
//! out ushort 600
FUNCTIONS(ushort, ushort)
//! kernel functions_int global 300 local 64
//! in int 300 any
//! in int 300 any
//! in int 300 any
//! out int 4200
//! out uint 600
FUNCTIONS(int, uint)
//! kernel functions_uint global 300 local 64
//! in uint 300 any
//! in uint 300 any
//! in uint 300 any
//! out uint 4200
//! out uint 600
FUNCTIONS(uint, uint)
//! kernel functions_long global 300 local 64
//! in long 300 any
//! in long 300 any
//! in long 300 any
//! out long 4200
//! out ulong 600
FUNCTIONS(long, ulong)
//! kernel functions_ulong global 300 local 64
//! in ulong 300 any
//! in ulong 300 any
//! in ulong 300 any
//! out ulong 4200
//! out ulong 600
FUNCTIONS(ulong, ulong)

#define VECTOR_FUNCTIONS(T)                                                                             \
  kernel void vector_##T(global const T##4* a, global const T##4* b, global T##4* out) {                \
    const size_t i = get_global_id(0);                                                                  \
    const T##4 x = a[i], y = b[i];                                                                      \
    out[4 * i] = add_sat(x, y) + min(x, y).wzyx;                                                        \
    out[4 * i + 1] = (T##4)(rhadd(x, y).lo, max(x, y).hi) ^ rotate(x, y);                               \
    out[4 * i + 2] = select(x, y, x > y) * (x & y) - (y << (T##4)3);                                    \
    out[4 * i + 3] = mul_hi(x, y) | (x >> (T##4)2) | popcount(y);                                       \
  }
//! kernel vector_char global 75 local 32
//! in char 300 any
//! in char 300 any
//! out char 1200
VECTOR_FUNCTIONS(char)
//! kernel vector_uchar global 75 local 32
//! in uchar 300 any
//! in uchar 300 any
//! out uchar 1200
kernel void vector_uchar(global const uchar4* a, global const uchar4* b, global uchar4* out) {
  const size_t i = get_global_id(0);
  const uchar4 x = a[i], y = b[i];
  out[4 * i] = add_sat(x, y) + min(x, y).wzyx;
  out[4 * i + 1] = hadd(x, y) ^ rotate(x, y);
  out[4 * i + 2] = select(x, y, x > y) * (x & y) - (y << (uchar4)3);
  out[4 * i + 3] = abs_diff(x, y) | (x >> (uchar4)2) | clz(y);
}
//! kernel vector_short global 75 local 32
//! in short 300 any
//! in short 300 any
//! out short 1200
VECTOR_FUNCTIONS(short)
//! kernel vector_int global 75 local 32
//! in int 300 any
//! in int 300 any
//! out int 1200
VECTOR_FUNCTIONS(int)
//! kernel vector_long global 75 local 32
//! in long 300 any
//! in long 300 any
//! out long 1200
VECTOR_FUNCTIONS(long)

//! kernel packed_short global 150 local 64
//! in short 300 any
//! in short 300 any
//! in short 300 any
//! out short 2400
//! out ushort 1800
// Pairs of 16-bit integers: packed instructions.
kernel void packed_short(global const short2* a, global const short2* b, global const short2* c, global short2* out,
                         global ushort2* unsigned_out) {
  const size_t i = get_global_id(0);
  const short2 x = a[i], y = b[i], z = c[i];
  global short2* o = out + i * 8;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = x * y + z;
  o[4] = max(x, y);
  o[5] = min(x, y.yx);
  o[6] = x << (y & (short2)15);
  o[7] = x >> (y & (short2)15);
  const ushort2 ux = as_ushort2(x), uy = as_ushort2(y), uz = as_ushort2(z);
  global ushort2* u = unsigned_out + i * 6;
  u[0] = max(ux, uy);
  u[1] = min(ux, uy);
  u[2] = ux >> (uy & (ushort2)15);
  u[3] = ux * uy.yx + uz;
  u[4] = add_sat(ux, uy);
  u[5] = sub_sat(ux, uy.yx);
}

//! kernel bits24 global 300 local 64
//! in int 300 range -8388608 8388607
//! in int 300 range -8388608 8388607
//! in uint 300 range 0 16777215
//! in uint 300 range 0 16777215
//! out int 600
//! out uint 600
kernel void bits24(global const int* a, global const int* b, global const uint* c, global const uint* d, global int* out,
                   global uint* unsigned_out) {
  const size_t i = get_global_id(0);
  out[2 * i] = mul24(a[i], b[i]);
  out[2 * i + 1] = mad24(a[i], b[i], a[i]);
  unsigned_out[2 * i] = mul24(c[i], d[i]);
  unsigned_out[2 * i + 1] = mad24(c[i], d[i], d[i]);
}

//! kernel upsamples global 100 local 64
//! in uint 100 any
//! in uint 100 any
//! out ulong 100
//! out uint 300
kernel void upsamples(global const uint* a, global const uint* b, global ulong* wide, global uint* out) {
  const size_t i = get_global_id(0);
  wide[i] = upsample(a[i], b[i]);
  out[3 * i] = upsample((ushort)a[i], (ushort)b[i]);
  out[3 * i + 1] = (uint)upsample((short)a[i], (ushort)b[i]);
  out[3 * i + 2] = upsample((uchar)a[i], (uchar)(b[i] >> 8));
}

//! kernel bit_tricks global 300 local 64
//! in uint 300 any
//! in uint 300 any
//! in uint 300 any
//! in ulong 300 any
//! out uint 5400
//! out ulong 1800
// Shapes that the compiler turns into three-operand, bit-field and byte instructions.
kernel void bit_tricks(global const uint* a, global const uint* b, global const uint* c, global const ulong* d,
                       global uint* out, global ulong* wide) {
  const size_t i = get_global_id(0);
  const uint x = a[i], y = b[i], z = c[i];
  global uint* o = out + i * 18;
  o[0] = (x & y) | (~x & z);
  o[1] = (x >> (y & 31)) & ((1u << (z & 15)) - 1);
  o[2] = (uint)((int)(x << 13) >> 19);
  o[3] = x << (y & 31) | z;
  o[4] = (x + y) << (z & 31);
  o[5] = (x << (y & 31)) + z;
  o[6] = (x ^ y) + z;
  o[7] = x + y + z;
  o[8] = x ^ y ^ z;
  o[9] = x | y | z;
  o[10] = (x & y) | z;
  o[11] = (x >> 8 & 0xff) + (y >> 16 & 0xff) + (z >> 24);
  o[12] = (x << 24) | (x << 8 & 0xff0000) | (x >> 8 & 0xff00) | (x >> 24);
  uint reversed = 0;
  for (int k = 0; k < 32; ++k) reversed |= (x >> k & 1) << (31 - k);
  o[13] = reversed;
  o[14] = max(min(max(x, y), z), min(x, y));
  o[15] = (uint)max(min(max((int)x, (int)y), (int)z), min((int)x, (int)y));
  o[16] = (uint)(((ulong)x << 32 | y) >> (z & 31));
  o[17] = ~(x ^ y);
  global ulong* w = wide + i * 6;
  w[0] = d[i] << (x & 63);
  w[1] = d[i] >> (y & 63);
  w[2] = (ulong)((long)d[i] >> (z & 63));
  w[3] = (ulong)x * y + d[i];
  w[4] = (ulong)((long)(int)x * (int)y + (long)d[i]);
  w[5] = d[i] * d[i] + (d[i] >> 7 ^ x);
}
