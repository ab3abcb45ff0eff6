#version 450
// Fills the samples of a layered image, each with a word of its own.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform writeonly uimage2DMSArray samples;
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at, imageSize(samples)))) return;
  for (int s = 0; s < 4; ++s) imageStore(samples, at, s, uvec4(at.x + 64 * (at.y + 64 * (at.z * 4 + s))));
}
