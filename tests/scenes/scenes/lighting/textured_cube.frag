#version 450
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 2) uniform sampler2D albedo;

void main() {
  vec3 light = normalize(vec3(0.5, 1.0, 0.8));
  float diffuse = max(dot(normalize(normal), light), 0.0);
  target = vec4(texture(albedo, uv).rgb * (0.2 + 0.8 * diffuse), 1.0);
}
