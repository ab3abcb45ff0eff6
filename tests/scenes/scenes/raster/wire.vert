#version 450
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) in vec4 in_tangent;
layout(location = 1) out vec3 normal;
layout(binding = 0) uniform Camera {
  mat4 view_projection;
  vec4 eye;
};
layout(binding = 1) uniform Object { mat4 model; };

void main() {
  normal = mat3(model) * in_normal;
  gl_PointSize = 3.0;
  gl_Position = view_projection * (model * vec4(in_position, 1.0));
}
