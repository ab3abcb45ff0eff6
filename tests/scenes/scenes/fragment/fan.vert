#version 450
// A centre, and vertices around it.
void main() {
  float angle = 0.52 * float(gl_VertexIndex);
  float radius = gl_VertexIndex == 0 ? 0.0 : 0.93;
  gl_Position = vec4(radius * cos(angle) + 0.011, radius * sin(angle) + 0.017, 0.0, 1.0);
}
