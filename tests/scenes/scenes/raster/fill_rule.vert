#version 450
// A fan of triangles with corners on pixel centres and borders; blending shows what is covered twice.
layout(location = 0) out vec4 color;

void main() {
  const vec2 rim[9] = vec2[](vec2(32.5, 2.5), vec2(52.0, 8.0), vec2(61.5, 32.5), vec2(56.0, 56.0), vec2(32.5, 61.5),
                             vec2(8.0, 52.0), vec2(2.5, 32.5), vec2(8.5, 8.5), vec2(32.5, 2.5));
  int corner = gl_VertexIndex % 3;
  vec2 at = corner == 0 ? vec2(32.5, 32.5) : rim[gl_VertexIndex / 3 + corner - 1];
  color = vec4(0.2 + 0.05 * float(gl_VertexIndex / 3), 0.3, 0.25, 1.0);
  gl_Position = vec4(at / 32.0 - 1.0, 0.0, 1.0);
}
