#version 450
// Twelve vertices in a zigzag from the left to the right.
void main() {
  float x = float(gl_VertexIndex) / 5.5 - 1.0;
  float y = (gl_VertexIndex & 1) == 0 ? -0.71 : 0.63 + 0.02 * float(gl_VertexIndex);
  gl_PointSize = 7.0;
  gl_Position = vec4(x * 0.9 + 0.013, y, 0.0, 1.0);
}
