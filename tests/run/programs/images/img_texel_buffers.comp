#version 450
// Texel buffers: formats of all classes are read, others written, and atomics count; element 5 of the counters is left
// alone.
layout(local_size_x = 64) in;
layout(binding = 0) uniform samplerBuffer colors;
layout(binding = 1) uniform samplerBuffer halves;
layout(binding = 2) uniform isamplerBuffer numbers;
layout(binding = 3) uniform usamplerBuffer words;
layout(binding = 4, rgba8) uniform imageBuffer written;
layout(binding = 5, r32ui) uniform uimageBuffer counters;
layout(binding = 6, r32i) uniform iimageBuffer extremes;
layout(binding = 7, std430) writeonly buffer Result { vec4 result[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x);
  vec4 sum = texelFetch(colors, i) + texelFetch(halves, i);
  ivec4 number = texelFetch(numbers, i);
  uvec4 word = texelFetch(words, 191 - i);
  result[i] = sum + vec4(number) + vec4(word);
  vec4 old = imageLoad(written, i);
  imageStore(written, i, old.bgra);
  uint bin = (word.x + word.y) % 15u;
  imageAtomicAdd(counters, int(bin < 5u ? bin : bin + 1u), word.y);
  imageAtomicMin(extremes, 0, number.x);
  imageAtomicMax(extremes, 1, number.y);
  imageAtomicXor(extremes, 2, number.z * 65537);
  imageAtomicOr(extremes, 3, int(word.x & 0x5555u));
  if (imageAtomicExchange(counters, 16 + i, uint(i) * 3u) != 7u) imageStore(counters, 16 + i, uvec4(0));
}
