#version 450
// Two targets: colour, normal.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;
layout(push_constant) uniform Push { vec4 color; };

void main() {
  out_albedo = vec4(color.rgb * (0.75 + 0.25 * sin(position.x * 9.0)), 1.0);
  out_normal = vec4(normalize(normal), 1.0);
}
