#version 450
// The numbers of vertex and instance make position and colour.
layout(location = 0) in vec2 corner;
layout(location = 0) out vec4 color;

void main() {
  vec2 cell = vec2(gl_InstanceIndex % 4, gl_InstanceIndex / 4);
  color = vec4(float(gl_VertexIndex) / 8.0, float(gl_InstanceIndex) / 16.0, 0.6, 1.0);
  gl_Position = vec4((cell + 0.5 + corner * 0.45) / 2.0 - 1.0, 0.0, 1.0);
}
