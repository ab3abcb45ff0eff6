#version 450
// Points that grow from 1 to 20 pixels.
layout(location = 0) out vec4 color;

void main() {
  float t = float(gl_VertexIndex) / 11.0;
  float angle = t * 5.0;
  color = vec4(t, 1.0 - t, 0.7, 1.0);
  gl_PointSize = 1.0 + 19.0 * t;
  gl_Position = vec4((0.15 + 0.65 * t) * vec2(cos(angle), sin(angle)) + 0.003, 0.0, 1.0);
}
