#version 450
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 2) uniform sampler2D tiles;
layout(constant_id = 0) const float kBias = 0.0;

void main() {
  target = texture(tiles, uv * 24.0, kBias);
}
