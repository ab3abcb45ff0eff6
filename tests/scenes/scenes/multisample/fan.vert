#version 450
// A star of twelve narrow triangles.
layout(location = 0) out vec4 color;

void main() {
  int ray = gl_VertexIndex / 3;
  int corner = gl_VertexIndex % 3;
  float angle = (float(ray) + (corner == 1 ? 0.37 : 0.0)) * 0.5236 + 0.11;
  float radius = corner == 2 ? 0.05 : 0.93;
  color = vec4(0.5 + 0.5 * cos(float(ray) + vec3(0.0, 2.1, 4.2)), 1.0);
  gl_Position = vec4(radius * vec2(cos(angle), sin(angle)), 0.0, 1.0);
}
