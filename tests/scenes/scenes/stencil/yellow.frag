#version 450
layout(location = 0) out vec4 target;

void main() {
  target = vec4(1.0, 0.9, 0.1, 1.0);
}
