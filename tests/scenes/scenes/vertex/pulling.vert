#version 450
// Vertices from a storage buffer, colours from a texel buffer, no vertex input.
layout(location = 0) out vec4 color;
layout(std430, binding = 0) readonly buffer Points { vec2 points[]; };
layout(binding = 1) uniform samplerBuffer colors;

void main() {
  color = texelFetch(colors, gl_VertexIndex);
  gl_Position = vec4(points[gl_VertexIndex], 0.0, 1.0);
}
