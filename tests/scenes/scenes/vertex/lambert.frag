#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  float diffuse = max(dot(normalize(normal), normalize(vec3(0.4, 0.8, 0.6))), 0.0);
  target = vec4(color.rgb * (0.25 + 0.75 * diffuse), 1.0);
}
