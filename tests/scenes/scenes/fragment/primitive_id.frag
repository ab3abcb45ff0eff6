#version 450
layout(location = 0) out vec4 target;

void main() {
  target = vec4(float(gl_PrimitiveID & 3) / 3.0, float(gl_PrimitiveID >> 2 & 3) / 3.0, 0.5, 1.0);
}
