#version 450
layout(location = 0) sample in vec2 at;
layout(location = 0) out vec4 target;

void main() {
  // Fine rings: a colour for each sample makes them smooth.
  float ring = step(0.5, fract(length(at) * 12.0));
  target = vec4(vec3(ring), 1.0) * vec4(1.0, 0.8, 0.4, 1.0);
}
