#version 450
// A Gaussian of nine taps in two passes, one along each axis; edges repeat. The first pass fetches texels of a sampled
// image, the second one loads them from the storage image that the first one wrote.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba32f) uniform image2D images[2];
layout(push_constant) uniform Push { int vertical; };
const float weights[5] = float[](0.25, 0.1875, 0.109375, 0.0546875, 0.0234375);
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(images[0]);
  if (any(greaterThanEqual(at, size))) return;
  ivec2 direction = vertical != 0 ? ivec2(0, 1) : ivec2(1, 0);
  vec4 sum = vec4(0);
  for (int tap = -4; tap <= 4; ++tap) {
    ivec2 from = clamp(at + tap * direction, ivec2(0), size - 1);
    vec4 texel = vertical != 0 ? imageLoad(images[0], from) : texelFetch(source, from, 0);
    sum += weights[abs(tap)] * texel;
  }
  if (vertical != 0) {
    imageStore(images[1], at, sum);
  } else {
    imageStore(images[0], at, sum);
  }
}
