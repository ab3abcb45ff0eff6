#version 450
// A picture twice as large by a cubic B-spline: sixteen texels by four filtered samples.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba32f) uniform writeonly image2D target;
void weights(vec2 f, out vec2 sums[2], out vec2 places[2]) {
  vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0;
  vec2 w1 = 2.0 / 3.0 - f * f * (2.0 - f) / 2.0;
  vec2 w3 = f * f * f / 6.0;
  vec2 w2 = 1.0 - w0 - w1 - w3;
  sums[0] = w0 + w1;
  sums[1] = w2 + w3;
  places[0] = w1 / sums[0] - 1.0;
  places[1] = w3 / sums[1] + 1.0;
}
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(target)))) return;
  vec2 size = vec2(textureSize(source, 0));
  vec2 place = (vec2(at) + 0.5) * 0.5 - 0.5;
  vec2 base = floor(place);
  vec2 sums[2];
  vec2 places[2];
  weights(place - base, sums, places);
  vec4 sum = vec4(0);
  for (int i = 0; i < 4; ++i) {
    vec2 from = base + vec2(places[i & 1].x, places[i >> 1].y) + 0.5;
    sum += sums[i & 1].x * sums[i >> 1].y * textureLod(source, from / size, 0.0);
  }
  imageStore(target, at, sum);
}
