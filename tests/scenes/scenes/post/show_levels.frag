#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;

void main() {
  // Four fields, each with another level.
  vec2 field = floor(uv * 2.0);
  target = textureLod(picture, fract(uv * 2.0), field.x + field.y * 2.0);
}
