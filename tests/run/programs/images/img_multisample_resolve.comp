#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Fetches the samples again: their sum, and the one that the place chooses.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 1) uniform utexture2DMS samples;
layout(binding = 2, rg32ui) uniform writeonly uimage2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, textureSize(samples)))) return;
  uint sum = 0;
  for (int s = 0; s < 4; ++s) sum += texelFetch(samples, at, s).r;
  imageStore(target, at, uvec4(sum, texelFetch(samples, at, (at.x + at.y) & 3).r, 0, 0));
}
