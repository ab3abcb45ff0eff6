// SPDX-License-Identifier: MIT
// Whole algorithms, for what only larger programs meet: many live values, long loops, local memory between waves.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

//! kernel sha256_block global 64 local 32
//! in uint 1024 any
//! out uint 512
constant uint kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
uint right(uint x, uint n) { return rotate(x, 32 - n); }
kernel void sha256_block(global const uint* in, global uint* out) {
  const size_t i = get_global_id(0);
  uint w[64];
  for (int k = 0; k < 16; ++k) w[k] = in[i * 16 + k];
  for (int k = 16; k < 64; ++k) {
    const uint s0 = right(w[k - 15], 7) ^ right(w[k - 15], 18) ^ w[k - 15] >> 3;
    const uint s1 = right(w[k - 2], 17) ^ right(w[k - 2], 19) ^ w[k - 2] >> 10;
    w[k] = w[k - 16] + s0 + w[k - 7] + s1;
  }
  uint h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint s[8];
  for (int k = 0; k < 8; ++k) s[k] = h[k];
  for (int k = 0; k < 64; ++k) {
    const uint s1 = right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25), choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const uint t1 = s[7] + s1 + choice + kRound[k] + w[k];
    const uint s0 = right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22);
    const uint t2 = s0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int m = 7; m > 0; --m) s[m] = s[m - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int k = 0; k < 8; ++k) out[i * 8 + k] = h[k] + s[k];
}

//! kernel bitonic_sort global 256 local 128
//! inout int 256 any
kernel void bitonic_sort(global int* data) {
  local int shared[128];
  const uint l = get_local_id(0);
  shared[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint size = 2; size <= 128; size *= 2) {
    for (uint step = size / 2; step > 0; step /= 2) {
      const uint other = l ^ step;
      if (other > l) {
        const int a = shared[l], b = shared[other];
        if ((a > b) == ((l & size) == 0)) {
          shared[l] = b;
          shared[other] = a;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  data[get_global_id(0)] = shared[l];
}

//! kernel matrix_double global 16,16 local 8,8
//! in double 256 range -4 4
//! in double 256 range -4 4
//! out double 256
kernel void matrix_double(global const double* a, global const double* b, global double* c) {
  local double ta[8][8], tb[8][8];
  const size_t x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  double sum = 0;
  for (int t = 0; t < 2; ++t) {
    ta[y][x] = a[gy * 16 + t * 8 + x];
    tb[y][x] = b[(t * 8 + y) * 16 + gx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; ++k) sum = fma(ta[y][k], tb[k][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[gy * 16 + gx] = sum;
}

//! kernel mandelbrot global 32,16 local 16,4
//! out uchar 512
kernel void mandelbrot(global uchar* out) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  const float cx = (float)x * 0.09375f - 2.25f, cy = (float)y * 0.15625f - 1.25f;
  float zx = 0, zy = 0;
  uint n = 0;
  while (n < 200 && zx * zx + zy * zy < 4.0f) {
    const float t = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = t;
    ++n;
  }
  out[y * 32 + x] = (uchar)n;
}

//! kernel prefix_sum global 512 local 256
//! in uint 512 any
//! out uint 512
//! local 2048
kernel void prefix_sum(global const uint* in, global uint* out, local uint* shared) {
  const uint l = get_local_id(0), n = get_local_size(0);
  local uint *from = shared, *to = shared + n;
  from[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < n; step *= 2) {
    to[l] = l >= step ? from[l] + from[l - step] : from[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    local uint* swap = from;
    from = to;
    to = swap;
  }
  out[get_global_id(0)] = from[l];
}

//! kernel crc_bytes global 64 local 64
//! in uchar 4096 any
//! out uint 64
kernel void crc_bytes(global const uchar* in, global uint* out) {
  const size_t i = get_global_id(0);
  uint crc = 0xffffffffu;
  for (uint k = 0; k < 64 - (i & 15); ++k) {
    crc ^= in[i * 64 + k];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
  }
  out[i] = ~crc;
}

//! kernel nqueens global 64 local 64
//! out uint 64
// Backtracking with a stack in registers or scratch: deeply divergent.
kernel void nqueens(global uint* out) {
  const uint first = get_global_id(0) & 7, second = get_global_id(0) >> 3;
  uint columns[9], left[9], diagonals[9], free_rows[9], found = 0;
  columns[1] = 1u << first;
  left[1] = columns[1] << 1;
  diagonals[1] = columns[1] >> 1;
  free_rows[1] = (1u << second) & ~(columns[1] | left[1] | diagonals[1]);
  int depth = 1;
  while (depth >= 1) {
    if (free_rows[depth] == 0) { --depth; continue; }
    const uint bit = free_rows[depth] & -free_rows[depth];
    free_rows[depth] ^= bit;
    if (depth == 7) { ++found; continue; }
    columns[depth + 1] = columns[depth] | bit;
    left[depth + 1] = (left[depth] | bit) << 1;
    diagonals[depth + 1] = (diagonals[depth] | bit) >> 1;
    ++depth;
    free_rows[depth] = 255 & ~(columns[depth] | left[depth] | diagonals[depth]);
  }
  out[get_global_id(0)] = found;
}

//! kernel many_live global 64 local 64
//! in float 8192 range -1 1
//! out float 64
// More values than registers.
kernel void many_live(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  float v[128];
#pragma unroll
  for (int k = 0; k < 128; ++k) v[k] = in[k * 64 + i];
  for (int round = 0; round < 3; ++round) {
#pragma unroll
    for (int k = 0; k < 128; ++k) v[k] = v[k] * 0.5f + v[(k + 37) % 128];
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 128; ++k) sum += v[k];
  out[i] = sum;
}

//! kernel modular_power global 100 local 64
//! in ulong 100 any
//! in uint 100 any
//! out ulong 100
kernel void modular_power(global const ulong* base, global const uint* power, global ulong* out) {
  const size_t i = get_global_id(0);
  const ulong modulus = 0xfffffffbul;
  ulong r = 1, b = base[i] % modulus;
  for (uint e = power[i]; e != 0; e >>= 1) {
    if ((e & 1) != 0) r = r * b % modulus;
    b = b * b % modulus;
  }
  out[i] = r;
}
