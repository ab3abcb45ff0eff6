#version 450
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 target;
layout(push_constant) uniform Push { vec4 color; };

void main() {
  float diffuse = max(dot(normalize(normal), normalize(vec3(0.4, 0.8, 0.5))), 0.0);
  target = vec4(color.rgb * (0.2 + diffuse), 1.0);
}
