// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), one message per invocation: the first `lengths[i]` bytes of one of two texts.
#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer Lengths { uint lengths[]; };
layout(set = 0, binding = 1) readonly buffer Texts { uint texts[]; };  // two texts of 128 bytes, little-endian words
layout(set = 0, binding = 2) writeonly buffer Digests { uint digests[]; };

const uint K[64] = uint[](
  0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
  0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
  0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
  0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
  0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
  0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
  0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
  0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);

uint rotate_right(uint x, int n) { return (x >> n) | (x << (32 - n)); }

uint message_byte(uint text, uint at, uint length) {
  if (at > length) return 0u;
  if (at == length) return 0x80u;
  return bitfieldExtract(texts[text * 32 + at / 4], int(at % 4) * 8, 8);
}

void compress(inout uint state[8], in uint block[16]) {
  uint w[64];
  for (int i = 0; i < 16; ++i) w[i] = block[i];
  for (int i = 16; i < 64; ++i) {
    uint s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint v[8] = state;
  for (int i = 0; i < 64; ++i) {
    uint s1 = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
    uint choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint t1 = v[7] + s1 + choice + K[i] + w[i];
    uint s0 = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
    uint majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    uint t2 = s0 + majority;
    v[7] = v[6];
    v[6] = v[5];
    v[5] = v[4];
    v[4] = v[3] + t1;
    v[3] = v[2];
    v[2] = v[1];
    v[1] = v[0];
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) state[i] += v[i];
}

void main() {
  uint index = gl_GlobalInvocationID.x;
  uint length = lengths[index];
  uint text = index & 1;
  uint state[8] = uint[](0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu,
                         0x5be0cd19u);
  uint blocks = (length + 8) / 64 + 1;
  for (uint b = 0; b < blocks; ++b) {
    uint block[16];
    for (uint i = 0; i < 16; ++i) {
      uint at = b * 64 + i * 4;
      block[i] = (message_byte(text, at, length) << 24) | (message_byte(text, at + 1, length) << 16) |
                 (message_byte(text, at + 2, length) << 8) | message_byte(text, at + 3, length);
    }
    if (b == blocks - 1) block[15] = length * 8;
    compress(state, block);
  }
  for (uint i = 0; i < 8; ++i) digests[index * 8 + i] = state[i];
}
