#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  vec3 n = normalize(gl_FrontFacing ? normal : -normal);
  float diffuse = max(dot(n, normalize(vec3(0.3, 0.6, 0.9))), 0.0);
  target = vec4((gl_FrontFacing ? color.rgb : vec3(0.2, 0.4, 0.8)) * (0.3 + 0.7 * diffuse), 1.0);
}
