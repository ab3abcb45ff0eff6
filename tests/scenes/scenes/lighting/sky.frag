#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 2) uniform samplerCube sky;

void main() {
  vec3 ray = vec3(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, -1.6);
  target = texture(sky, ray);
}
