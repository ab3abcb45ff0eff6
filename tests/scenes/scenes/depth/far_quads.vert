#version 450
// Four bars that go through the near and the far plane.
layout(location = 0) out vec4 color;

void main() {
  int bar = gl_VertexIndex / 6;
  const int corners[6] = int[](0, 1, 2, 2, 1, 3);
  int corner = corners[gl_VertexIndex % 6];
  float along = float(corner & 1);
  float z = mix(-0.6, 1.7, along);
  color = vec4(along, 0.3 * float(bar), 1.0 - along, 1.0);
  gl_Position = vec4(-0.93 + 1.86 * along, -0.91 + 0.45 * float(bar) + 0.37 * float(corner >> 1), z, 1.0);
}
