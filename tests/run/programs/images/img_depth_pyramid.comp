#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Least and most depth of 2 x 2 texels of the level above.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform texture2D pyramid;
layout(binding = 1, rg32f) uniform writeonly image2D levels[4];
layout(push_constant) uniform Push { int level; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(levels[level])))) return;
  vec2 a = texelFetch(pyramid, 2 * at, level - 1).xy;
  vec2 b = texelFetch(pyramid, 2 * at + ivec2(1, 0), level - 1).xy;
  vec2 c = texelFetch(pyramid, 2 * at + ivec2(0, 1), level - 1).xy;
  vec2 d = texelFetch(pyramid, 2 * at + ivec2(1, 1), level - 1).xy;
  vec2 range = vec2(min(min(a.x, b.x), min(c.x, d.x)), max(max(a.y, b.y), max(c.y, d.y)));
  imageStore(levels[level], at, vec4(range, 0, 0));
}
