#version 450
// The same gradient into every target.
layout(location = 0) in vec2 uv;
layout(location = 0) out ivec4 target0;
layout(location = 1) out ivec4 target1;
layout(location = 2) out ivec4 target2;
layout(location = 3) out ivec4 target3;
layout(location = 4) out ivec4 target4;
layout(location = 5) out ivec4 target5;
layout(location = 6) out ivec4 target6;
layout(location = 7) out ivec4 target7;

void main() {
  vec4 color = vec4(uv.x, uv.y, 0.5 + 0.5 * uv.x * uv.y, 1.0 - uv.y * 0.5);
  target0 = ivec4(round((color - 0.4) * 200.0));
  target1 = ivec4(round((color - 0.4) * 200.0));
  target2 = ivec4(round((color - 0.4) * 200.0));
  target3 = ivec4(round((color - 0.4) * 200.0)) * 40;
  target4 = ivec4(round((color - 0.4) * 200.0)) * 41;
  target5 = ivec4(round((color - 0.4) * 200.0)) * 42;
  target6 = ivec4(round((color - 0.4) * 200.0)) * 43;
  target7 = ivec4(round((color - 0.4) * 200.0)) * 44;
}
