#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  target = vec4(color.rgb * (1.0 - 0.5 * length(at)) + vec3(0.0, 0.0, 0.3 * at.y), 1.0);
}
