#version 450
// The outlines of a picture of colours and depths, by the operator of Sobel.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D depths;

float edge(ivec2 at) {
  vec2 sum = vec2(0.0);
  ivec2 most = textureSize(depths, 0) - 1;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      float depth = texelFetch(depths, clamp(at + ivec2(x, y), ivec2(0), most), 0).r;
      sum += vec2(x, y) * vec2(2 - abs(y), 2 - abs(x)) * depth;
    }
  }
  return length(sum);
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float line = clamp(edge(at) * 8.0, 0.0, 1.0);
  vec3 color = floor(texelFetch(picture, at, 0).rgb * 4.0 + 0.5) / 4.0;
  target = vec4(mix(color, vec3(0.0), line), 1.0);
}
