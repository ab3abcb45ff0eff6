#version 460
// Addresses as numbers, alignments of one byte, narrow and wide values, and atomic operations.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, scalar, buffer_reference_align = 1) buffer Loose { uint word; uint16_t two; uint8_t one; };
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Pair { uvec2 pair; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Long { uint64_t wide; };
layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer Sums {
  uint add, low, high, bits, swapped, unused;
  uint64_t add64, high64;
};
layout(push_constant) uniform Push { uint64_t bytes; uvec2 sums; uint64_t target; uint64_t wides; };
layout(set = 0, binding = 0, std430) buffer Out { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  Loose loose = Loose(bytes + i * 7);
  uint sum = loose.word + uint(loose.two) * 3 + uint(loose.one) * 5;
  Pair pair = Pair(bytes + 1 + i * 6);
  sum += pair.pair.x ^ pair.pair.y;
  Long wide = Long(bytes + 3 + i * 12);
  uint64_t w = wide.wide;
  sum += uint(w >> 13);
  Loose to = Loose(target + i * 7);
  to.word = sum;
  to.two = uint16_t(i * 259);
  to.one = uint8_t(i);
  Long(wides + i * 12).wide = w * 5;
  Sums s = Sums(sums);
  atomicAdd(s.add, sum);
  atomicMin(s.low, sum);
  atomicMax(s.high, sum);
  atomicOr(s.bits, 1u << (i & 31));
  if (atomicCompSwap(s.swapped, i, i + 1000) == i) sum += 1;
  atomicAdd(s.add64, w);
  atomicMax(s.high64, w);
  bool same = uint64_t(s) == packUint2x32(sums);
  result[i] = same ? sum : 0;
}
