#version 450
// Points of a buffer with the colour of their number; a push constant moves and scales them.
layout(location = 0) in vec2 position;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push {
  vec2 offset;
  float scale;
};

void main() {
  color = vec4(fract(vec3(0.35, 0.62, 0.17) * float(gl_VertexIndex) + vec3(0.2, 0.5, 0.9)), 1.0);
  gl_Position = vec4(position * scale + offset, 0.0, 1.0);
  gl_PointSize = 5.0;
}
