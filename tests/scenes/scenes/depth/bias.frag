#version 450
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 target;
layout(push_constant) uniform Push { vec4 color; };

void main() {
  target = color * (0.6 + 0.4 * uv.x);
}
