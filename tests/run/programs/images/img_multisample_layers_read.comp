#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Reads them as fetches and as loads.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform readonly uimage2DMSArray stored;
layout(binding = 1) uniform utexture2DMSArray samples;
layout(binding = 2, rg32ui) uniform writeonly uimage2DArray target;
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at, textureSize(samples)))) return;
  uint sum = 0;
  for (int s = 0; s < 4; ++s) sum = sum * 3u + texelFetch(samples, at, s).r;
  imageStore(target, at, uvec4(sum, imageLoad(stored, at, (at.x + at.z) & 3).r, 0, 0));
}
