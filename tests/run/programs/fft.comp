// SPDX-License-Identifier: MIT
// 256-point complex FFT (Stockham, radix 2) of one signal per workgroup, in shared memory.
#version 450
layout(local_size_x = 128) in;

layout(set = 0, binding = 0) buffer Signal { vec2 signal[]; };
layout(set = 0, binding = 1) uniform Twiddles { vec4 twiddle[64]; };  // two factors in each vec4

shared vec2 ping[256];
shared vec2 pong[256];

vec2 complex_multiply(vec2 a, vec2 b) {
  return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

vec2 factor(uint index) {
  vec4 pair = twiddle[index >> 1];
  return (index & 1) == 0 ? pair.xy : pair.zw;
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint base = gl_WorkGroupID.x * 256;
  ping[lane] = signal[base + lane];
  ping[lane + 128] = signal[base + lane + 128];
  barrier();
  bool from_ping = true;
  for (uint half_size = 1; half_size < 256; half_size *= 2) {
    uint k = lane & (half_size - 1);
    vec2 even = from_ping ? ping[lane] : pong[lane];
    vec2 odd = from_ping ? ping[lane + 128] : pong[lane + 128];
    odd = complex_multiply(odd, factor(k * (128 / half_size)));
    uint target = ((lane - k) << 1) + k;
    if (from_ping) {
      pong[target] = even + odd;
      pong[target + half_size] = even - odd;
    } else {
      ping[target] = even + odd;
      ping[target + half_size] = even - odd;
    }
    from_ping = !from_ping;
    barrier();
  }
  // Eight stages: the result is in `ping` again.
  signal[base + lane] = ping[lane];
  signal[base + lane + 128] = ping[lane + 128];
}
