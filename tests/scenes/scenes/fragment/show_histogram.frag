#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(std430, binding = 1) readonly buffer Bins { uint bins[32]; };

void main() {
  float height = float(bins[int(uv.x * 32.0)]) / 768.0;
  target = 1.0 - uv.y < height ? vec4(0.3, 0.8, 1.0, 1.0) : vec4(0.1, 0.1, 0.1, 1.0);
}
