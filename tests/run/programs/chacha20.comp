// SPDX-License-Identifier: MIT
// ChaCha20 key stream (RFC 8439), one block per invocation, states as four uvec4 rows.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) uniform Setup { uvec4 key[2]; uvec4 counter_and_nonce; };
layout(set = 0, binding = 1, std430) writeonly buffer Stream { uvec4 rows[]; };

uvec4 rotate(uvec4 x, uint n) { return (x << n) | (x >> (32u - n)); }

void quarter_rounds(inout uvec4 a, inout uvec4 b, inout uvec4 c, inout uvec4 d) {
  a += b; d = rotate(d ^ a, 16u);
  c += d; b = rotate(b ^ c, 12u);
  a += b; d = rotate(d ^ a, 8u);
  c += d; b = rotate(b ^ c, 7u);
}

void main() {
  uvec4 start[4];
  start[0] = uvec4(0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u);
  start[1] = key[0];
  start[2] = key[1];
  start[3] = counter_and_nonce + uvec4(gl_GlobalInvocationID.x, 0, 0, 0);
  uvec4 a = start[0], b = start[1], c = start[2], d = start[3];
  for (int i = 0; i < 10; ++i) {
    quarter_rounds(a, b, c, d);
    b = b.yzwx; c = c.zwxy; d = d.wxyz;
    quarter_rounds(a, b, c, d);
    b = b.wxyz; c = c.zwxy; d = d.yzwx;
  }
  uint base = gl_GlobalInvocationID.x * 4;
  rows[base] = a + start[0];
  rows[base + 1] = b + start[1];
  rows[base + 2] = c + start[2];
  rows[base + 3] = d + start[3];
}
