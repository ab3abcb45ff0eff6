// SPDX-License-Identifier: MIT
// Calls, private arrays, switches, divergent loops, local memory.
//! kernel calls global 200 local 64
//! in int 200 range -50 50
//! out int 200
__attribute__((noinline)) int collatz(int n) {
  int steps = 0;
  while (n > 1 && steps < 300) {
    n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}
__attribute__((noinline)) int weigh(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * collatz(j & 63);
}
kernel void calls(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  const int x = in[i];
  int r = collatz(x + 60);
  if (x > 0) r += weigh(x, x + 1, x + 2, x + 3, x * x, x - 1, 7, r, x ^ 5, x);
  out[i] = r;
}

//! kernel private_array global 130 local 64
//! in int 130 any
//! out int 130
kernel void private_array(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  int table[32];
  for (int k = 0; k < 32; ++k) table[k] = in[i] * (k + 1) ^ k;
  uint at = (uint)in[i];
  int sum = 0;
  for (int k = 0; k < 20; ++k) {
    at = (uint)table[at & 31] >> 3;
    sum += table[at & 31];
    table[(at >> 5) & 31] ^= sum;
  }
  out[i] = sum;
}

//! kernel switches global 256 local 64
//! in uint 256 range 0 20
//! in int 256 any
//! out int 256
kernel void switches(global const uint* which, global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  int x = in[i];
  switch (which[i]) {
    case 0: x += 1; break;
    case 1: x *= 3; break;
    case 2: x ^= 0x55; break;
    case 3: x = -x; break;
    case 4: x >>= 2;
    case 5: x -= 100; break;
    case 6: x = x & 0xff00; break;
    case 7: x = (uint)x >> 7; break;
    case 9: x = 42; break;
    case 11: x = x * x; break;
    case 15: x = ~x; break;
    default: x = x % 1000;
  }
  out[i] = x;
}

//! kernel divergent_loops global 128 local 64
//! in uint 128 range 0 100
//! out uint 128
kernel void divergent_loops(global const uint* in, global uint* out) {
  const size_t i = get_global_id(0);
  uint sum = 0;
  for (uint k = 0; k < in[i]; ++k) {
    if (k % 7 == 3) continue;
    for (uint m = k; m > 0; m >>= 1) {
      if ((m ^ in[i]) == 21) break;
      sum = sum * 31 + m;
    }
    if (sum % 97 == 13) break;
  }
  out[i] = sum;
}

//! kernel reduce global 256 local 64
//! in int 256 any
//! out int 4
//! local 256
kernel void reduce(global const int* in, global int* out, local int* shared) {
  const size_t l = get_local_id(0);
  shared[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (l < half_size) shared[l] += shared[l + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = shared[0];
}

//! kernel transpose global 32,16 local 8,8
//! in ushort 512 any
//! out ushort 512
kernel void transpose(global const ushort* in, global ushort* out) {
  local ushort tile[8][9];
  const size_t x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const size_t ox = get_group_id(1) * 8 + x, oy = get_group_id(0) * 8 + y;
  out[oy * get_global_size(1) + ox] = tile[x][y];
}

// The last groups of each dimension are smaller.
//! kernel ids global 10,6,3 local 4,4,2
//! out uint 3600
//! value uint 20
kernel void ids(global uint* out, uint stride) {
  global uint* o = out + get_global_linear_id() * stride;
  for (uint d = 0; d < 3; ++d) {
    o[d * 6] = get_global_id(d);
    o[d * 6 + 1] = get_local_id(d);
    o[d * 6 + 2] = get_group_id(d);
    o[d * 6 + 3] = get_local_size(d);
    o[d * 6 + 4] = get_num_groups(d);
    o[d * 6 + 5] = get_enqueued_local_size(d);
  }
  o[18] = get_work_dim();
  o[19] = get_global_size(0);
}

//! kernel linear_ids global 8,6,4 local 4,3,2
//! out uint 384
kernel void linear_ids(global uint* out) {
  out[get_global_linear_id() * 2] = get_local_linear_id();
  out[get_global_linear_id() * 2 + 1] = get_group_id(0) + 10 * get_group_id(1) + 100 * get_group_id(2);
}
