#version 450
layout(location = 0) in vec3 position;
layout(location = 0) out vec4 target;

void main() {
  vec3 n = normalize(cross(dFdyFine(position), dFdxFine(position)));
  target = vec4(n * 0.5 + 0.5, 1.0);
}
