#version 450
layout(location = 0) out vec3 colors[10];

void main() {
  vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  for (int i = 0; i < 10; ++i) {
    colors[i] = 0.5 + 0.5 * cos(vec3(at.x, at.y, at.x + at.y) * (1.0 + 0.2 * float(i)) * 2.1 + float(i));
  }
  gl_Position = vec4(at * 1.8 - 0.9, 0.0, 1.0) * (1.0 + at.x);
}
