#version 450
// A ring of sixteen triangles, every other one the other way round, whose outside is farther away.
layout(push_constant) uniform Push { vec2 center; };

void main() {
  int number = gl_VertexIndex / 3;
  int corner = gl_VertexIndex % 3;
  if ((number & 1) == 1) corner = 2 - corner;
  float angle = (float(number) + (corner == 1 ? 0.93 : corner == 2 ? 0.47 : 0.0)) * 0.3927;
  float radius = corner == 2 ? 0.19 : 0.46;
  float w = corner == 2 ? 1.0 : 3.0;
  gl_Position = vec4(center + radius * vec2(cos(angle), sin(angle)), corner == 2 ? 0.2 : 0.9, 1.0) * w;
}
