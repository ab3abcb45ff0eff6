#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 target;
layout(binding = 2) uniform samplerCube distances;
layout(push_constant) uniform Push { vec4 color; };

void main() {
  vec3 from_light = position - vec3(0.0, 1.2, 0.0);
  float nearest = texture(distances, from_light).r;
  float lit = length(from_light) < nearest + 0.08 ? 1.0 : 0.0;
  float diffuse = max(dot(normalize(normal), normalize(-from_light)), 0.0);
  target = vec4(color.rgb * (0.15 + diffuse * lit), 1.0);
}
