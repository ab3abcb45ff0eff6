#version 450
// The first step of a tone mapper: atomics on an image count how many texels have which luminance. A class is the
// exponent and the two highest bits of the mantissa, so that nothing is rounded twice.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 1, r32ui) uniform uimage1D histogram;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, textureSize(source, 0)))) return;
  vec3 color = texelFetch(source, at, 0).rgb;
  precise float luminance = 0.25 * color.r + 0.5 * color.g + 0.25 * color.b;
  int bin = int(floatBitsToUint(luminance) >> 21) - 460;
  imageAtomicAdd(histogram, clamp(bin, 0, 63), 1u);
}
