#version 450
// The same gradient into every target.
layout(location = 0) in vec2 uv;
layout(location = 0) out uvec4 target0;
layout(location = 1) out uvec4 target1;
layout(location = 2) out uvec4 target2;
layout(location = 3) out uvec4 target3;
layout(location = 4) out uvec4 target4;
layout(location = 5) out uvec4 target5;
layout(location = 6) out uvec4 target6;
layout(location = 7) out uvec4 target7;

void main() {
  vec4 color = vec4(uv.x, uv.y, 0.5 + 0.5 * uv.x * uv.y, 1.0 - uv.y * 0.5);
  target0 = uvec4(color * 255.0 + 0.5);
  target1 = uvec4(color * 255.0 + 0.5);
  target2 = uvec4(color * 255.0 + 0.5);
  target3 = uvec4(color * 255.0 + 0.5) * 40u;
  target4 = uvec4(color * 255.0 + 0.5) * 41u;
  target5 = uvec4(color * 255.0 + 0.5) * 42u;
  target6 = uvec4(color * 255.0 + 0.5) * 43u;
  target7 = uvec4(color * 255.0 + 0.5) * 44u;
}
