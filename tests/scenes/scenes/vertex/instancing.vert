#version 450
// Cubes with a matrix and a colour for each instance.
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in mat4 model;  // locations 2 to 5
layout(location = 6) in vec4 in_color;
layout(location = 0) out vec3 normal;
layout(location = 1) out vec4 color;
layout(binding = 0) uniform Camera { mat4 view_projection; };

void main() {
  normal = mat3(model) * in_normal;
  color = in_color;
  gl_Position = view_projection * (model * vec4(in_position, 1.0));
}
