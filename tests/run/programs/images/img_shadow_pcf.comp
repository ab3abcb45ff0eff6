#version 450
// A shadow map in two layers: 3 x 3 comparisons, each filtered, and one without a filter.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform texture2DArray map;
layout(binding = 1) uniform samplerShadow smooth_compare;
layout(binding = 2) uniform samplerShadow sharp_compare;
layout(binding = 3, rg32f) uniform writeonly image2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 size = vec2(32, 24);
  if (any(greaterThanEqual(at, imageSize(target)))) return;
  vec2 uv = (vec2(at) + 0.3125) / vec2(imageSize(target));
  float layer = float(at.x & 1);
  float reference = 0.25 + 0.0078125 * float(at.y);
  float sum = 0.0;
  for (int i = 0; i < 9; ++i) {
    vec2 tap = vec2(i % 3 - 1, i / 3 - 1) / size;
    sum += textureGrad(sampler2DArrayShadow(map, smooth_compare), vec4(uv + tap, layer, reference), vec2(0), vec2(0));
  }
  float sharp = textureGrad(sampler2DArrayShadow(map, sharp_compare), vec4(uv, layer, reference), vec2(0), vec2(0));
  imageStore(target, at, vec4(sum / 9.0, sharp, 0, 0));
}
