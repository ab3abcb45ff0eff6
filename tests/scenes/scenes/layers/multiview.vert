#version 450
// A square that is elsewhere in each view.
#extension GL_EXT_multiview : require
layout(location = 0) out vec4 color;

void main() {
  vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 0.8 - 0.7;
  color = vec4(0.4, float(gl_VertexIndex) / 3.0, 0.3 + 0.6 * float(gl_ViewIndex), 1.0);
  gl_Position = vec4(at + 0.3 * float(gl_ViewIndex), 0.0, 1.0);
}
