#version 450
// Triangles with corners far outside and behind the eye.
layout(location = 0) out vec4 color;

void main() {
  const vec4 corners[9] = vec4[](vec4(-900.0, -5.0, 0.5, 1.0), vec4(1400.0, 3.0, 0.5, 1.0), vec4(0.3, 0.9, 0.5, 1.0),
                                 vec4(-0.5, -0.8, 0.1, 0.6), vec4(0.7, -0.7, 0.2, 0.9), vec4(0.0, -0.4, 0.2, -0.7),
                                 vec4(0.2, 3000.0, 0.4, 1.0), vec4(0.5, -2500.0, 0.4, 1.0), vec4(0.6, -0.3, 0.4, 1.0));
  color = vec4(gl_VertexIndex / 3 == 0, gl_VertexIndex / 3 == 1, gl_VertexIndex / 3 == 2, 1.0) * (0.6 + 0.2 * float(gl_VertexIndex % 3));
  gl_Position = corners[gl_VertexIndex];
}
