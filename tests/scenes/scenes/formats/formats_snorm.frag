#version 450
// The same gradient into every target.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target0;
layout(location = 1) out vec4 target1;
layout(location = 2) out vec4 target2;
layout(location = 3) out vec4 target3;
layout(location = 4) out vec4 target4;
layout(location = 5) out vec4 target5;
layout(location = 6) out vec4 target6;

void main() {
  vec4 color = vec4(uv * 2.2 - 1.1, sin(uv.x * 9.0), 0.5 - uv.y);
  target0 = color;
  target1 = color;
  target2 = color;
  target3 = color;
  target4 = color;
  target5 = color;
  target6 = color;
}
