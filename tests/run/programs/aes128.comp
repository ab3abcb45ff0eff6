// SPDX-License-Identifier: MIT
// AES-128 (FIPS 197) in ECB mode: encrypts each block, then decrypts the result. The S-box is built in shared memory from
// inverses in GF(2^8); one word holds one byte, so that byte order plays no role.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Plain { uint plain[]; };  // 4 big-endian words per block
layout(set = 0, binding = 1) uniform Key { uvec4 key; };
layout(set = 0, binding = 2) buffer Cipher { uint cipher[]; };
layout(set = 0, binding = 3) buffer Round { uint round_trip[]; };

shared uint sbox[256];
shared uint inverse_sbox[256];
shared uint round_keys[44];

uint multiply(uint a, uint b) {
  uint product = 0;
  for (int bit = 0; bit < 8; ++bit) {
    if ((b & 1) != 0) product ^= a;
    b >>= 1;
    a = (a << 1) ^ ((a & 0x80) != 0 ? 0x11bu : 0u);
  }
  return product;
}

uint substitute(uint value) {
  // The inverse is value^254; squares and multiplies walk its seven one bits.
  uint power = value;
  uint inverse = 1;
  for (int i = 0; i < 7; ++i) {
    power = multiply(power, power);
    inverse = multiply(inverse, power);
  }
  uint x = value == 0 ? 0 : inverse;
  uint spread = x | (x << 8);
  return (x ^ (spread >> 4) ^ (spread >> 5) ^ (spread >> 6) ^ (spread >> 7) ^ 0x63) & 0xff;
}

uint substitute_word(uint w) {
  return (sbox[w >> 24] << 24) | (sbox[(w >> 16) & 255] << 16) | (sbox[(w >> 8) & 255] << 8) | sbox[w & 255];
}

void expand_key() {
  for (int i = 0; i < 4; ++i) round_keys[i] = key[i];
  uint constant = 1;
  for (int i = 4; i < 44; ++i) {
    uint word = round_keys[i - 1];
    if (i % 4 == 0) {
      word = substitute_word((word << 8) | (word >> 24)) ^ (constant << 24);
      constant = multiply(constant, 2);
    }
    round_keys[i] = round_keys[i - 4] ^ word;
  }
}

uint byte_of(uint word, int row) { return bitfieldExtract(word, 24 - 8 * row, 8); }

uvec4 add_round_key(uvec4 state, int round) {
  return state ^ uvec4(round_keys[4 * round], round_keys[4 * round + 1], round_keys[4 * round + 2],
                       round_keys[4 * round + 3]);
}

uint mix_column(uint column, uint c0, uint c1, uint c2, uint c3) {
  uint result = 0;
  for (int row = 0; row < 4; ++row) {
    uint mixed = multiply(byte_of(column, row), c0) ^ multiply(byte_of(column, (row + 1) & 3), c1) ^
                 multiply(byte_of(column, (row + 2) & 3), c2) ^ multiply(byte_of(column, (row + 3) & 3), c3);
    result = (result << 8) | mixed;
  }
  return result;
}

uvec4 shift_and_substitute(uvec4 state, int direction, bool forward) {
  uvec4 result;
  for (int column = 0; column < 4; ++column) {
    uint word = 0;
    for (int row = 0; row < 4; ++row) {
      uint byte_value = byte_of(state[(column + direction * row) & 3], row);
      word = (word << 8) | (forward ? sbox[byte_value] : inverse_sbox[byte_value]);
    }
    result[column] = word;
  }
  return result;
}

uvec4 encrypt(uvec4 state) {
  state = add_round_key(state, 0);
  for (int round = 1; round <= 10; ++round) {
    state = shift_and_substitute(state, 1, true);
    if (round < 10) {
      for (int column = 0; column < 4; ++column) state[column] = mix_column(state[column], 2, 3, 1, 1);
    }
    state = add_round_key(state, round);
  }
  return state;
}

uvec4 decrypt(uvec4 state) {
  for (int round = 10; round >= 1; --round) {
    state = add_round_key(state, round);
    if (round < 10) {
      for (int column = 0; column < 4; ++column) state[column] = mix_column(state[column], 14, 11, 13, 9);
    }
    state = shift_and_substitute(state, -1, false);
  }
  return add_round_key(state, 0);
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  for (uint i = lane; i < 256; i += 64) {
    uint value = substitute(i);
    sbox[i] = value;
    inverse_sbox[value] = i;
  }
  barrier();
  if (lane == 0) expand_key();
  barrier();
  uint base = gl_GlobalInvocationID.x * 4;
  uvec4 block = uvec4(plain[base], plain[base + 1], plain[base + 2], plain[base + 3]);
  uvec4 encrypted = encrypt(block);
  uvec4 decrypted = decrypt(encrypted);
  for (int i = 0; i < 4; ++i) {
    cipher[base + i] = encrypted[i];
    round_trip[base + i] = decrypted[i];
  }
}
