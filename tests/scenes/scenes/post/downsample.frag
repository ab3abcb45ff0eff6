#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;  // the level before

void main() {
  target = texture(picture, uv);
}
