#version 450
// One step up: a tent of 3 x 3 samples of the smaller level is added to the larger one, in place.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D pyramid;
layout(binding = 1, rgba16f) uniform image2D levels[5];
layout(push_constant) uniform Push { int level; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(levels[level]);
  if (any(greaterThanEqual(at, size))) return;
  vec2 texel = 1.0 / vec2(textureSize(pyramid, level + 1));
  vec2 uv = (vec2(at) + 0.5) / vec2(size);
  vec4 sum = vec4(0);
  for (int i = 0; i < 9; ++i) {
    ivec2 tap = ivec2(i % 3 - 1, i / 3 - 1);
    float weight = float((2 - abs(tap.x)) * (2 - abs(tap.y))) / 16.0;
    sum += weight * textureLod(pyramid, uv + vec2(tap) * texel, float(level + 1));
  }
  imageStore(levels[level], at, 0.5 * (imageLoad(levels[level], at) + sum));
}
