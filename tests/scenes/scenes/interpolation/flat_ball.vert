#version 450
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 0) flat out vec3 normal;
layout(location = 1) flat out ivec2 numbers;
layout(binding = 0) uniform Camera { mat4 view_projection; };

void main() {
  normal = in_normal;
  numbers = ivec2(gl_VertexIndex * 37 & 63, -gl_VertexIndex);
  gl_Position = view_projection * vec4(in_position, 1.0);
}
