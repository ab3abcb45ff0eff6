#version 450
layout(location = 0) flat in vec3 normal;
layout(location = 1) flat in ivec2 numbers;
layout(location = 0) out vec4 target;

void main() {
  float diffuse = 0.25 + 0.75 * max(dot(normal, normalize(vec3(0.5, 0.7, 0.5))), 0.0);
  vec3 color = vec3(float(numbers.x) / 63.0, float(-numbers.y & 7) / 7.0, 0.6);
  target = vec4(color * diffuse, 1.0);
}
