#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;

void main() {
  target = vec4(max(texture(picture, uv).rgb - 1.0, 0.0), 1.0);
}
