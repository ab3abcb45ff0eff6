// SPDX-License-Identifier: MIT
// Loads and stores of every size and address space: narrow, wide, unaligned, packed structures, constants, program-scope
// variables (which need relocations), generic pointers.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

//! kernel narrow global 200 local 64
//! in char 200 any
//! in uchar 200 any
//! in short 200 any
//! in ushort 200 any
//! out int 800
//! out char 200
//! out ushort 200
kernel void narrow(global const char* a, global const uchar* b, global const short* c, global const ushort* d,
                   global int* out, global char* bytes, global ushort* halves) {
  const size_t i = get_global_id(0);
  out[4 * i] = a[i];
  out[4 * i + 1] = b[i];
  out[4 * i + 2] = c[i];
  out[4 * i + 3] = d[i];
  bytes[i] = (char)(c[i] >> 4);
  halves[i] = (ushort)(a[i] * 3 + d[i]);
}

//! kernel wide global 64 local 64
//! in int 1024 any
//! out int 2560
kernel void wide(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  const int16 x = vload16(i, in);
  vstore8(x.lo + x.hi, i, out);
  vstore4(x.s048c ^ x.s37bf, i, out + 512);
  vstore2(x.s5a, i, out + 768);
  vstore3(x.s123 * x.s456, i, out + 896);
  vstore16(x.sfedcba9876543210, i, out + 1088);
}

//! kernel triples global 100 local 64
//! in uchar 700 any
//! in ushort 700 any
//! out uchar 300
//! out ushort 300
//! out uint 300
kernel void triples(global const uchar* a, global const ushort* b, global uchar* bytes, global ushort* halves,
                    global uint* words) {
  const size_t i = get_global_id(0);
  const uchar3 x = vload3(i, a + 1);
  const ushort3 y = vload3(i * 2, b + 3);
  vstore3(x.zxy, i, bytes);
  vstore3(y + (ushort3)(x.x, x.y, x.z), i, halves);
  vstore3((uint3)(y.x, y.y, y.z) * 65537u, i, words);
}

typedef struct __attribute__((packed)) {
  uchar tag;
  uint number;
  ushort half_number;
  ulong big;
  uchar tail[5];
} Record;

//! kernel unaligned global 60 local 32
//! in uchar 1200 any
//! out uchar 1200
//! out uint 60
kernel void unaligned(global const Record* in, global Record* out, global uint* sums) {
  const size_t i = get_global_id(0);
  Record r = in[i];
  r.number += r.tag;
  r.big ^= (ulong)r.half_number << 20;
  r.half_number = (ushort)(r.number >> 7);
  for (int k = 0; k < 5; ++k) r.tail[k] += (uchar)k;
  out[i] = r;
  sums[i] = r.number + (uint)r.big;
}

constant uint kTable[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
constant ushort kWords[5] = {100, 200, 300, 400, 500};
global uint counter_start = 41;
global uint* global pointer_to_counter = &counter_start;
constant uint* constant kPointers[2] = {kTable + 3, kTable + 9};

//! kernel constants global 100 local 64
//! in uint 100 any
//! out uint 100
kernel void constants(global const uint* in, global uint* out) {
  const size_t i = get_global_id(0);
  out[i] = kTable[in[i] & 15] + kWords[in[i] % 5] * 1000 + kPointers[in[i] >> 4 & 1][in[i] >> 8 & 3] * 100000;
}

//! kernel program_scope global 1 local 1
//! out uint 2
kernel void program_scope(global uint* out) {
  *pointer_to_counter += 1;
  out[0] = counter_start;
  out[1] = pointer_to_counter == &counter_start;
}

__attribute__((noinline)) uint sum_generic(const uint* p, uint n) {
  uint sum = 0;
  for (uint k = 0; k < n; ++k) sum = sum * 5 + p[k];
  return sum;
}
__attribute__((noinline)) void fill_generic(ulong* p, ulong value) {
  p[0] = value;
  p[1] = value * 3;
}
__attribute__((noinline)) uint4 quad_generic(const uint4* p) { return *p + (uint4)(1, 2, 3, 4); }

//! kernel generic_pointers global 128 local 64
//! in uint 132 any
//! inout ulong 256 any
//! out uint 768
//! local 1024
kernel void generic_pointers(global const uint* in, global ulong* big, global uint* out, local uint* shared) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  uint own[4] = {in[i], in[i + 1] ^ 1, in[i + 2] + 7, (uint)i};
  ulong pair[2] = {1, 2};
  for (int k = 0; k < 4; ++k) shared[l * 4 + k] = in[i] + (uint)k;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Lanes of one wave go to different address spaces.
  const uint* p = i % 3 == 0 ? (const uint*)own : i % 3 == 1 ? (const uint*)(shared + l * 4) : (const uint*)(in + i);
  out[i * 6] = sum_generic(p, 4);
  ulong* q = i % 2 == 0 ? (ulong*)pair : (ulong*)(big + 2 * i);
  fill_generic(q, in[i]);
  out[i * 6 + 1] = (uint)(pair[0] + pair[1]);
  const uint4 v = quad_generic((const uint4*)(shared + l * 4));
  vstore4(v, 0, out + i * 6 + 2);
}

//! kernel halves_in_memory global 100 local 64
//! in half 400 number
//! in float 100 number
//! out float 500
//! out half 500
kernel void halves_in_memory(global const half* in, global const float* f, global float* out, global half* h) {
  const size_t i = get_global_id(0);
  out[i] = vload_half(i, in);
  const float4 x = vload_half4(i, in);
  vstore4(x, i, out + 100);
  vstore_half(f[i], i * 5, h);
  vstore_half_rte(f[i], i * 5 + 1, h);
  vstore_half_rtz(f[i], i * 5 + 2, h);
  vstore_half_rtp(f[i], i * 5 + 3, h);
  vstore_half_rtn(f[i], i * 5 + 4, h);
}

//! kernel local_types global 64 local 64
//! in uchar 64 any
//! in ushort 64 any
//! in ulong 64 any
//! out ulong 64
//! out uint 256
kernel void local_types(global const uchar* a, global const ushort* b, global const ulong* c, global ulong* out,
                        global uint* words) {
  local uchar bytes[64];
  local char signed_bytes[64];
  local ushort halves[64];
  local short signed_halves[64];
  local ulong longs[128];
  local uint4 quads[64];
  const size_t l = get_local_id(0), m = (l * 37 + 11) & 63;
  bytes[l] = a[l];
  signed_bytes[m] = (char)(a[l] ^ 0x81);
  halves[l] = b[l];
  signed_halves[l] = (short)(b[l] * 5);
  longs[l] = c[l];
  longs[l + 64] = c[l] * 3;
  quads[l] = (uint4)(a[l], b[l], (uint)c[l], (uint)l);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = bytes[m] + signed_bytes[m] + halves[m] + signed_halves[63 - l] + longs[m] + longs[64 + m];
  vstore4(quads[m].wzyx, l, words);
}

//! kernel big_scratch global 96 local 32
//! in uint 96 any
//! out uint 96
kernel void big_scratch(global const uint* in, global uint* out) {
  const size_t i = get_global_id(0);
  ulong longs[40];
  uchar bytes[64];
  ushort halves[64];
  uint4 quads[8];
  uint x = in[i];
  for (int k = 0; k < 64; ++k) bytes[k] = (uchar)(k * 3);
  for (int k = 0; k < 64; ++k) {
    x = x * 1664525u + 1013904223u;
    longs[k % 40] = (ulong)x << 13;
    bytes[x >> 26] = (uchar)(x >> 3);
    halves[k ^ 5] = (ushort)x;
    quads[k & 7] = (uint4)(x, x >> 1, x >> 2, x >> 3);
    if (k < 62) bytes[k + 1] = (uchar)k;
  }
  uint sum = 0;
  for (int k = 0; k < 30; ++k) {
    x = x * 1664525u + 1013904223u;
    sum = sum * 7 + (uint)(longs[(x >> 20) % 40] >> 9) + bytes[x >> 26 & 31] + halves[x >> 24 & 63] + quads[x >> 29].z;
  }
  out[i] = sum + bytes[63 & (x >> 27)];
}
