#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Each texel becomes the mean of its 5 x 5 neighbourhood, weighted by distance and by likeness.
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 1, binding = 0, rgba16f) uniform writeonly image2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = textureSize(source, 0);
  if (any(greaterThanEqual(at, size))) return;
  vec3 center = texelFetch(source, at, 0).rgb;
  vec3 sum = vec3(0);
  float weights = 0.0;
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) {
      ivec2 from = at + ivec2(x, y);
      if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, size))) continue;
      vec3 texel = texelFetch(source, from, 0).rgb;
      vec3 difference = texel - center;
      float weight = exp(-0.125 * float(x * x + y * y) - 4.0 * dot(difference, difference));
      sum += weight * texel;
      weights += weight;
    }
  }
  imageStore(target, at, vec4(sum / weights, weights / 25.0));
}
