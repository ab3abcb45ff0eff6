#version 450
// Bars: the first vertex and instance of the draw and its number in a command give place and colour.
#extension GL_ARB_shader_draw_parameters : require
layout(location = 0) out vec4 color;

void main() {
  int corner = gl_VertexIndex - gl_BaseVertexARB;
  int bar = gl_InstanceIndex - gl_BaseInstanceARB;
  vec2 size = vec2(0.35, 0.1 + 0.02 * float(gl_BaseVertexARB));
  vec2 at = vec2(-0.95 + 0.5 * float(bar), -0.95 + 0.45 * float(gl_DrawIDARB));
  color = vec4(float(gl_BaseInstanceARB) / 8.0, float(gl_DrawIDARB) / 3.0, 0.4, 1.0);
  gl_Position = vec4(at + size * vec2(corner & 1, corner >> 1), 0.0, 1.0);
}
