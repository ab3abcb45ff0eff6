// SPDX-License-Identifier: MIT
// Values that are the same for all work-items: the scalar unit computes these.

#define UNIFORM_BITS(T, U, BITS)                                                                        \
  kernel void uniform_##T(constant const T* a, constant const T* b, global T* out) {                    \
    for (uint k = 0; k < 60; ++k) {                                                                     \
      const T x = a[k], y = b[k];                                                                       \
      T r[24];                                                                                          \
      r[0] = x & y;                                                                                     \
      r[1] = x | ~y;                                                                                    \
      r[2] = ~(x ^ y);                                                                                  \
      r[3] = ~(x & y);                                                                                  \
      r[4] = ~(x | y);                                                                                  \
      r[5] = x & ~y;                                                                                    \
      r[6] = x << (y & (BITS - 1));                                                                     \
      r[7] = x >> (y & (BITS - 1));                                                                     \
      r[8] = ~x;                                                                                        \
      r[9] = abs(x);                                                                                    \
      r[10] = popcount(x);                                                                              \
      r[11] = clz(x) + ctz(y) * (T)100;                                                                 \
      r[12] = min(x, y);                                                                                \
      r[13] = max(x, y);                                                                                \
      r[14] = x - y;                                                                                    \
      r[15] = x * y;                                                                                    \
      r[16] = mul_hi(x, y);                                                                             \
      r[17] = rotate(x, y);                                                                             \
      r[18] = (x >> 5) & (T)0x3ff;                                                                      \
      r[19] = x << (BITS - 20) >> (BITS - 12);                                                          \
      r[20] = (x << 3) + y;                                                                             \
      r[21] = x > y ? x + (T)1 : y - (T)7;                                                              \
      r[22] = ((x >> (y & (BITS - 1))) & 1) != 0 ? y : x;                                               \
      r[23] = (T)(short)x + (T)(char)y;                                                                 \
      if (get_local_id(0) == 0) {                                                                       \
        for (int j = 0; j < 24; ++j) out[k * 24 + j] = r[j];                                            \
      }                                                                                                 \
    }                                                                                                   \
  }
//! kernel uniform_int global 64 local 64
//! in int 60 any
//! in int 60 any
//! out int 1440
UNIFORM_BITS(int, uint, 32)
//! kernel uniform_uint global 64 local 64
//! in uint 60 any
//! in uint 60 any
//! out uint 1440
UNIFORM_BITS(uint, uint, 32)
//! kernel uniform_long global 64 local 64
//! in long 60 any
//! in long 60 any
//! out long 1440
UNIFORM_BITS(long, ulong, 64)
//! kernel uniform_ulong global 64 local 64
//! in ulong 60 any
//! in ulong 60 any
//! out ulong 1440
UNIFORM_BITS(ulong, ulong, 64)

//! kernel uniform_branches global 64 local 32
//! in int 80 any
//! in uint 80 any
//! in long 80 any
//! out int 160
kernel void uniform_branches(constant const int* a, constant const uint* b, constant const long* c, global int* out) {
  for (uint k = 0; k < 80; ++k) {
    const int x = a[k];
    const uint y = b[k];
    const long z = c[k];
    int r = 0;
    if (x > 100) r += 1;
    if (x >= -5) r ^= 6;
    if (x < 7) r = r * 3 + 1;
    if (x <= 1000) r += 17;
    if (y > 1000u) r ^= 0x40;
    if (y >= 70000u) r = r * 5 - 1;
    if (y < 31u) r -= 3;
    if (y <= 63u) r = ~r;
    if (x == -1) r += 1000;
    if (y != 2u) r ^= 0x8000;
    if (z == 3) r += 2000;
    if (z != -1) r ^= 0x10000;
    if (z < 0) r += 5;
    if ((y & 64) != 0) r -= 11;
    if ((x >> 9 & 1) == 0) r ^= 0x100;
    if ((z >> 40 & 1) != 0) r += 13;
    if ((ulong)z > 0xfffffffful) r ^= 1;
    switch (y & 7) {
      case 0: r += x; break;
      case 1: r -= x; break;
      case 2: r ^= x; break;
      case 4: r = r * x; break;
      case 5: r = x / 3 + r; break;
      case 6: r = r % 1001; break;
      default: r += (int)z;
    }
    if (get_local_id(0) == 0) out[get_group_id(0) * 80 + k] = r;
  }
}

//! kernel uniform_mixed global 64 local 64
//! in short 60 any
//! in ushort 60 any
//! in char 60 any
//! in uint 60 any
//! out uint 600
kernel void uniform_mixed(constant const short* a, constant const ushort* b, constant const char* c, constant const uint* d,
                          global uint* out) {
  for (uint k = 0; k < 60; ++k) {
    const uint x = d[k], y = d[59 - k];
    uint r[10];
    r[0] = (uint)a[k] + b[k];
    r[1] = (uint)(c[k] * a[k]);
    r[2] = (x & 0xffff) | y << 16;
    r[3] = (x & 0xffff) | (y & 0xffff0000);
    r[4] = x >> 16 | (y & 0xffff0000);
    r[5] = (x << 1) + y + ((x << 2) + y) * 3 + ((y << 3) + x) * 5 + ((y << 4) + x) * 7;
    r[6] = (uint)((ulong)x * y >> 32) + (uint)((long)(int)x * (int)y >> 32);
    r[7] = ((1u << (x & 15)) - 1) << (y & 15);
    r[8] = x > y ? x - y : y - x;
    r[9] = (uint)abs((int)(x >> 1) - (int)(y >> 1));
    uint reversed = 0;
    for (int j = 0; j < 32; ++j) reversed |= (x >> j & 1) << (31 - j);
    r[9] ^= reversed;
    if (get_local_id(0) == 0) {
      for (int j = 0; j < 10; ++j) out[k * 10 + j] = r[j];
    }
  }
}

//! kernel uniform_stack global 64 local 32
//! in uint 16 any
//! out uint 64
// Uniform indices into private arrays of vectors.
kernel void uniform_stack(constant const uint* in, global uint* out) {
  uint v[8];
  for (int j = 0; j < 8; ++j) v[j] = get_global_id(0) * (j + 1);
  uint sum = 0;
  for (int k = 0; k < 16; ++k) {
    v[in[k] & 7] += in[k];
    sum = sum * 3 + v[in[15 - k] >> 29];
  }
  out[get_global_id(0)] = sum;
}
