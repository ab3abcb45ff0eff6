#version 450
layout(location = 0) out float heights[20];

void main() {
  vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  for (int i = 0; i < 20; ++i) heights[i] = 0.5 + 0.5 * cos(dot(at, vec2(1.0, 1.7)) * (0.7 + 0.1 * float(i)) + float(i));
  gl_Position = vec4(at * 1.8 - 0.9, 0.0, 1.0) * (1.0 + at.x);
}
