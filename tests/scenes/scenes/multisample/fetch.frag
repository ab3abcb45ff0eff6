#version 450
// The four samples of each pixel beside each other, twice as large.
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2DMS samples;
layout(binding = 1) uniform sampler2DMS depths;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int number = (at.x & 1) + (at.y & 1) * 2;
  vec4 color = texelFetch(samples, at / 2, number);
  float depth = texelFetch(depths, at / 2, number).r;
  target = vec4(color.rgb * (1.5 - depth), 1.0);
}
