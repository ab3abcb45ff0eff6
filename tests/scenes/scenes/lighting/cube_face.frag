#version 450
layout(location = 0) in vec3 position;
layout(location = 0) out float target;

void main() {
  target = length(position - vec3(0.0, 1.2, 0.0));
}
