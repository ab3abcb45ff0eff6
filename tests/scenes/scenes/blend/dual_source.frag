#version 450
// A second colour says how much of the destination stays, for each component.
layout(location = 1) in vec2 uv;
layout(location = 0, index = 0) out vec4 target;
layout(location = 0, index = 1) out vec4 filtered;

void main() {
  target = vec4(0.15, 0.1, 0.0, 1.0);
  float away = length(uv - 0.5) * 2.0;
  filtered = away < 1.0 ? vec4(1.0, uv.x, uv.y, 0.5) : vec4(0.3, 0.3, 0.3, 1.0);
}
