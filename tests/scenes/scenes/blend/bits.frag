#version 450
// Bits that count columns.
layout(location = 1) in vec2 uv;
layout(location = 0) out uvec4 target;

void main() {
  uint column = uint(gl_FragCoord.x);
  target = uvec4(column * 11u, column * 5u + 64u, 0xf0u, 0xffu) & 0xffu;
}
