#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D glow;

void main() {
  vec3 light = texture(picture, uv).rgb + texture(glow, uv).rgb * 1.5;
  target = vec4(1.0 - exp(-light), 1.0);
}
