#version 450
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_color;
layout(location = 0) out vec4 color;

void main() {
  color = vec4(in_color, 0.5);
  gl_Position = vec4(in_position, 1.0);
}
