#version 450
layout(location = 0) out vec4 color;

void main() {
  int i = gl_VertexIndex;
  float angle = 0.37 * float(i), radius = 0.2 + 0.007 * float(i);
  gl_Position = vec4(radius * cos(angle), radius * sin(angle), 0.0, 1.0);
  color = vec4(float(i) / 96.0, 0.5, 1.0, 1.0);
}
