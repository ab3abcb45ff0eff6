#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D field;

void main() {
  vec2 at = (uv - 0.5) * mat2(1.1, -0.04, 0.35, 1.15) + 0.5;
  float inside = texture(field, at).r;
  float width = fwidth(at.y) * 4.0;
  float body = smoothstep(0.5 - width, 0.5 + width, inside);
  float rim = smoothstep(0.3 - width, 0.3 + width, inside);
  target = vec4(mix(mix(vec3(0.1, 0.1, 0.2), vec3(0.9, 0.4, 0.1), rim), vec3(1.0, 1.0, 0.8), body), 1.0);
}
