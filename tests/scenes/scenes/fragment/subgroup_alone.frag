#version 450
layout(location = 0) out vec4 target;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  target = vec4(float(at.x & 7) / 7.0, float(at.y & 7) / 7.0, 1.0, 1.0);
}
