// SPDX-License-Identifier: MIT
// Decoder of a byte-oriented LZ stream (token: literal count in the high nibble, match length - 4 in the low one, then
// literals, then a distance byte); each workgroup's single lane group decodes its own stream, byte by byte, in LDS.
#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer Packed { uint packed_words[]; };
layout(set = 0, binding = 1) readonly buffer Streams { uvec2 streams[]; };  // first byte, byte count
layout(set = 0, binding = 2) writeonly buffer Unpacked { uint unpacked[]; };  // 64 words for each stream

shared uint window[32][64];  // 256 bytes for each invocation

uint read_byte(inout uint at) {
  uint value = (packed_words[at >> 2] >> ((at & 3) * 8)) & 255;
  ++at;
  return value;
}

void append(uint lane, inout uint size, uint value) {
  uint word = size >> 2;
  uint shift = (size & 3) * 8;
  if (shift == 0) window[lane][word] = 0;
  window[lane][word] |= value << shift;
  ++size;
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint stream = gl_GlobalInvocationID.x;
  uint at = streams[stream].x;
  uint end = at + streams[stream].y;
  uint size = 0;
  while (at < end) {
    uint token = read_byte(at);
    for (uint literals = token >> 4; literals > 0; --literals) append(lane, size, read_byte(at));
    if (at >= end) break;
    uint distance = read_byte(at);
    uint length = (token & 15) + 4;
    while (length-- > 0) {
      uint from = size - distance;
      append(lane, size, (window[lane][from >> 2] >> ((from & 3) * 8)) & 255);
    }
  }
  for (uint i = 0; i < 64; ++i) unpacked[stream * 64 + i] = i * 4 < size ? window[lane][i] : 0;
}
