#version 450
// The second step: the class below which nine tenths of the texels lie, by one workgroup.
layout(local_size_x = 64) in;
layout(binding = 1, r32ui) uniform readonly uimage1D histogram;
layout(binding = 2, r32f) uniform writeonly image2D exposure;
shared uint sums[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  sums[i] = imageLoad(histogram, int(i)).r;
  barrier();
  for (uint distance = 1; distance < 64; distance *= 2) {
    uint before = i >= distance ? sums[i - distance] : 0;
    barrier();
    sums[i] += before;
    barrier();
  }
  uint limit = sums[63] - sums[63] / 10;
  bool first = sums[i] >= limit && (i == 0 || sums[i - 1] < limit);
  if (first) imageStore(exposure, ivec2(0), vec4(1.0 / uintBitsToFloat((i + 461) << 21)));
}
