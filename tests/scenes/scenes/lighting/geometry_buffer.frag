#version 450
// Three targets: colour, normal, position.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;
layout(location = 2) out vec4 out_position;
layout(binding = 2) uniform sampler2D albedo;

void main() {
  out_albedo = texture(albedo, uv * 3.0);
  out_normal = vec4(normalize(normal), 0.0);
  out_position = vec4(position, 1.0);
}
