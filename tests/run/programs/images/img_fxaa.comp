#version 450
// Fast approximate antialiasing: a blur along the edge that the luminance of the neighbours shows, by filtered samples
// between texels. The choice between the two blurs is continuous, so that no rounding decides it.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba32f) uniform writeonly image2D target;
float luma(vec3 color) { return dot(color, vec3(0.299, 0.587, 0.114)); }
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 size = vec2(textureSize(source, 0));
  if (any(greaterThanEqual(at, ivec2(size)))) return;
  vec2 uv = (vec2(at) + 0.5) / size;
  float nw = luma(textureLodOffset(source, uv, 0.0, ivec2(-1, -1)).rgb);
  float ne = luma(textureLodOffset(source, uv, 0.0, ivec2(1, -1)).rgb);
  float sw = luma(textureLodOffset(source, uv, 0.0, ivec2(-1, 1)).rgb);
  float se = luma(textureLodOffset(source, uv, 0.0, ivec2(1, 1)).rgb);
  float m = luma(textureLod(source, uv, 0.0).rgb);
  float least = min(m, min(min(nw, ne), min(sw, se)));
  float most = max(m, max(max(nw, ne), max(sw, se)));
  vec2 direction = vec2(-(nw + ne) + (sw + se), (nw + sw) - (ne + se));
  float reduce = max((nw + ne + sw + se) * 0.03125, 0.0078125);
  direction = clamp(direction / (min(abs(direction.x), abs(direction.y)) + reduce), -4.0, 4.0) / size;
  vec3 a = 0.5 * (textureLod(source, uv + direction * (1.0 / 3.0 - 0.5), 0.0).rgb +
                  textureLod(source, uv + direction * (2.0 / 3.0 - 0.5), 0.0).rgb);
  vec3 b = 0.5 * a + 0.25 * (textureLod(source, uv - direction * 0.5, 0.0).rgb +
                             textureLod(source, uv + direction * 0.5, 0.0).rgb);
  float luma_b = luma(b);
  float outside = max(max(least - luma_b, luma_b - most), 0.0);
  imageStore(target, at, vec4(mix(b, a, clamp(outside * 8.0, 0.0, 1.0)), m));
}
