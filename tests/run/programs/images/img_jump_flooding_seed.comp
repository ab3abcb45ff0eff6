#version 450
// The first image of a jump flood: texels of a mask become seeds, all others are (-1, -1).
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rg16i) uniform iimage2D seeds[2];
layout(binding = 1) uniform usampler2D mask;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(seeds[0])))) return;
  bool is_seed = texelFetch(mask, at, 0).r == 0u;
  imageStore(seeds[0], at, is_seed ? ivec4(at, 0, 0) : ivec4(-1));
}
