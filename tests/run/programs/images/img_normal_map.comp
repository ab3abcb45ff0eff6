#version 450
// Normals of a height field from gathers, one for each pair of axes.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D heights;
layout(binding = 1, rgba16_snorm) uniform writeonly image2D normals;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(normals)))) return;
  vec2 size = vec2(textureSize(heights, 0));
  vec4 quad = textureGather(heights, (vec2(at) + 1.0) / size, 0);  // texel and those to the right and below
  vec3 normal = normalize(vec3((quad.w - quad.z) * 4.0, (quad.w - quad.x) * 4.0, 1.0));
  imageStore(normals, at, vec4(normal, 1.0));
}
