#version 450
// A gradient from left to right with alpha from top to bottom.
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 target;

void main() {
  target = vec4(uv.x, 1.0 - uv.x, 0.3 + 0.4 * uv.y, uv.y);
}
