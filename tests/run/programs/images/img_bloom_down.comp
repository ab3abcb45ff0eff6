#version 450
// One step down a mip pyramid: samples between four texels are their mean.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D pyramid;
layout(binding = 1, rgba16f) uniform image2D levels[5];
layout(push_constant) uniform Push { int level; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(levels[level]);
  if (any(greaterThanEqual(at, size))) return;
  imageStore(levels[level], at, textureLod(pyramid, (vec2(at) + 0.5) / vec2(size), float(level - 1)));
}
