#version 450
// Fills a multisampled image: how much of a texel a slanted edge covers, sample by sample.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform writeonly uimage2DMS samples;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(samples)))) return;
  for (int s = 0; s < 4; ++s) {
    ivec2 place = at * 4 + ivec2(s * 2 % 4 + s / 2, s);
    imageStore(samples, at, s, uvec4(place.x * 3 > place.y * 5 ? 100 + s : s));
  }
}
