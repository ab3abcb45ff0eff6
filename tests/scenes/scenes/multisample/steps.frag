#version 450
// Alpha in steps whose number of samples no rounding changes.
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 target;

void main() {
  target = vec4(1.0, 0.8, 0.3, floor(uv.x * 5.0) * 0.25);
}
