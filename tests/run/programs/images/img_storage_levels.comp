#version 450
#extension GL_AMD_shader_image_load_store_lod : require
// Storage images whose level is an operand: each level is made of the one above it.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform uimage2D levels;
layout(binding = 1, std430) writeonly buffer Result { uint result[]; };
void main() {
  ivec2 at = ivec2(gl_LocalInvocationID.xy);
  uint sum = 0;
  for (int y = 0; y < 2; ++y) for (int x = 0; x < 2; ++x) sum += imageLoadLodAMD(levels, at * 2 + ivec2(x, y), 0).r;
  imageStoreLodAMD(levels, at, 1, uvec4(sum));
  if (all(lessThan(at, ivec2(4)))) imageStoreLodAMD(levels, at, 2, uvec4(sum * 3u + 1u));
  result[gl_LocalInvocationIndex] = imageLoadLodAMD(levels, at & 1, int(gl_LocalInvocationIndex & 1u) * 3).r;
}
