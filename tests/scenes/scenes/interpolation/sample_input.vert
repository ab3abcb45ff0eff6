#version 450
layout(location = 0) out vec2 at;

void main() {
  const vec2 corners[3] = vec2[](vec2(-0.9, -0.83), vec2(0.87, -0.35), vec2(-0.41, 0.91));
  at = corners[gl_VertexIndex];
  gl_Position = vec4(at, 0.0, 1.0);
}
