#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D sums;
layout(binding = 1) uniform sampler2D revealed;

void main() {
  vec4 sum = texelFetch(sums, ivec2(gl_FragCoord.xy), 0);
  float behind = texelFetch(revealed, ivec2(gl_FragCoord.xy), 0).r;
  target = vec4(mix(sum.rgb / max(sum.a, 0.0001), vec3(1.0), behind), 1.0);
}
