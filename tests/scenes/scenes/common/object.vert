#version 450
// A mesh with its attributes in the space of the world.
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) in vec4 in_tangent;
layout(location = 0) out vec3 position;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec2 uv;
layout(location = 3) out vec4 tangent;
layout(binding = 0) uniform Camera {
  mat4 view_projection;
  vec4 eye;
};
layout(binding = 1) uniform Object { mat4 model; };

void main() {
  vec4 world = model * vec4(in_position, 1.0);
  position = world.xyz;
  normal = mat3(model) * in_normal;
  uv = in_uv;
  tangent = vec4(mat3(model) * in_tangent.xyz, in_tangent.w);
  gl_Position = view_projection * world;
}
