#version 450
layout(location = 0) flat in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  target = vec4(mix(vec3(0.5), color.rgb, color.a), 1.0);
}
