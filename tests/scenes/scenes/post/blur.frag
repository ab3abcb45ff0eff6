#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;
layout(push_constant) uniform Push { vec2 direction; };

void main() {
  const float weights[5] = float[](0.20, 0.17, 0.12, 0.07, 0.04);
  vec3 sum = texture(picture, uv).rgb * weights[0];
  for (int i = 1; i < 5; ++i) {
    sum += texture(picture, uv + direction * float(i)).rgb * weights[i];
    sum += texture(picture, uv - direction * float(i)).rgb * weights[i];
  }
  target = vec4(sum, 1.0);
}
