#version 450
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 target;

void main() {
  if (length(uv - 0.5) > 0.5) discard;
  target = color;
}
