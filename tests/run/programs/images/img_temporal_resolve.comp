#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Temporal antialiasing: last frame's result, fetched where the texel was then, clamped to what the neighbourhood has
// now, blended with the new frame.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler linear_clamp;
layout(binding = 1) uniform texture2D textures[3];  // new frame, last result, motion in texels
layout(binding = 2, rgba16f) uniform writeonly image2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(target);
  if (any(greaterThanEqual(at, size))) return;
  vec4 least = vec4(1e9);
  vec4 most = vec4(-1e9);
  for (int i = 0; i < 9; ++i) {
    ivec2 from = clamp(at + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), size - 1);
    vec4 texel = texelFetch(textures[0], from, 0);
    least = min(least, texel);
    most = max(most, texel);
  }
  vec2 motion = texelFetch(textures[2], at, 0).xy;
  vec2 uv = (vec2(at) + 0.5 - motion) / vec2(size);
  vec4 history = textureLod(sampler2D(textures[1], linear_clamp), uv, 0.0);
  vec4 now = texelFetch(textures[0], at, 0);
  imageStore(target, at, mix(clamp(history, least, most), now, 0.125));
}
