// SPDX-License-Identifier: MIT
// Arithmetic, logic, shifts, comparisons and division of every integer type.
//! kernel arith_char global 300 local 64
//! in char 300 any
//! in char 300 any
//! out char 3000
//! kernel arith_uchar global 300 local 64
//! in uchar 300 any
//! in uchar 300 any
//! out uchar 3000
//! kernel arith_short global 300 local 64
//! in short 300 any
//! in short 300 any
//! out short 3000
//! kernel arith_ushort global 300 local 64
//! in ushort 300 any
//! in ushort 300 any
//! out ushort 3000
//! kernel arith_int global 300 local 64
//! in int 300 any
//! in int 300 any
//! out int 3000
//! kernel arith_uint global 300 local 64
//! in uint 300 any
//! in uint 300 any
//! out uint 3000
//! kernel arith_long global 300 local 64
//! in long 300 any
//! in long 300 any
//! out long 3000
//! kernel arith_ulong global 300 local 64
//! in ulong 300 any
//! in ulong 300 any
//! out ulong 3000
#define ARITH(T)                                                                         \
  kernel void arith_##T(global const T* a, global const T* b, global T* out) {           \
    const size_t i = get_global_id(0);                                                   \
    const T x = a[i], y = b[i];                                                          \
    global T* o = out + i * 10;                                                          \
    o[0] = x + y;                                                                        \
    o[1] = x - y;                                                                        \
    o[2] = x * y;                                                                        \
    o[3] = x & ~y;                                                                       \
    o[4] = (x | y) ^ (T)~x;                                                              \
    o[5] = x << (y & (sizeof(T) * 8 - 1));                                               \
    o[6] = x >> (y & (sizeof(T) * 8 - 1));                                               \
    o[7] = (x < y) | (x == y) << 1 | (x != y) << 2 | (x >= y) << 3 | (x > y) << 4;       \
    o[8] = -x + ~y;                                                                      \
    o[9] = x > y ? x * (T)3 - y : y * (T)5 + x;                                          \
  }
ARITH(char)
ARITH(uchar)
ARITH(short)
ARITH(ushort)
ARITH(int)
ARITH(uint)
ARITH(long)
ARITH(ulong)

//! kernel div_char global 300 local 64
//! in char 300 any
//! in char 300 nonzero
//! out char 600
//! kernel div_uchar global 300 local 64
//! in uchar 300 any
//! in uchar 300 nonzero
//! out uchar 600
//! kernel div_short global 300 local 64
//! in short 300 any
//! in short 300 nonzero
//! out short 600
//! kernel div_ushort global 300 local 64
//! in ushort 300 any
//! in ushort 300 nonzero
//! out ushort 600
//! kernel div_int global 300 local 64
//! in int 300 any
//! in int 300 nonzero
//! out int 600
//! kernel div_uint global 300 local 64
//! in uint 300 any
//! in uint 300 nonzero
//! out uint 600
//! kernel div_long global 300 local 64
//! in long 300 any
//! in long 300 nonzero
//! out long 600
//! kernel div_ulong global 300 local 64
//! in ulong 300 any
//! in ulong 300 nonzero
//! out ulong 600
// The most negative number by minus one is undefined; it becomes a division by one.
#define DIVIDE(T)                                                                        \
  kernel void div_##T(global const T* a, global const T* b, global T* out) {             \
    const size_t i = get_global_id(0);                                                   \
    const T x = a[i];                                                                    \
    const T y = b[i] == (T)-1 && (T)-1 < (T)0 ? (T)1 : b[i];                             \
    out[2 * i] = x / y;                                                                  \
    out[2 * i + 1] = x % y;                                                              \
  }
DIVIDE(char)
DIVIDE(uchar)
DIVIDE(short)
DIVIDE(ushort)
DIVIDE(int)
DIVIDE(uint)
DIVIDE(long)
DIVIDE(ulong)

//! kernel div_constants global 256 local 64
//! in int 256 any
//! in uint 256 any
//! in long 256 any
//! out long 2560
kernel void div_constants(global const int* a, global const uint* b, global const long* c, global long* out) {
  const size_t i = get_global_id(0);
  global long* o = out + i * 10;
  o[0] = a[i] / 7;
  o[1] = a[i] % -10;
  o[2] = a[i] / 16;
  o[3] = b[i] / 7;
  o[4] = b[i] % 1000000007u;
  o[5] = b[i] / 641;
  o[6] = c[i] / 10;
  o[7] = c[i] % 86400000000l;
  o[8] = (ulong)c[i] / 3;
  o[9] = c[i] / -4096;
}
