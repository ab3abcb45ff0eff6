#version 450
// A square with distances that change across it, some of which cut off its corners.
out gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[2];
  float gl_CullDistance[5];
};

void main() {
  vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = vec4(at * 1.72 - 0.85, 0.0, 1.0);
  gl_ClipDistance[0] = 1.83 - at.x - at.y;
  gl_ClipDistance[1] = 0.21 + at.x + at.y * 0.7;
  for (int i = 0; i < 5; ++i) gl_CullDistance[i] = 0.2 * float(i) - 0.1 + (i < 2 ? at.x : at.y * 0.5);
}
