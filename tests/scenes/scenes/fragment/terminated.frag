#version 450
#extension GL_EXT_terminate_invocation : require
// Fragments end at different places: at once, or in a loop.
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 target;

void main() {
  if (fract(uv.x * 5.0) < 0.2) terminateInvocation;
  float sum = 0.0;
  for (int i = 0; i < 8; ++i) {
    sum += fract(uv.y * 4.0) * 0.25;
    if (sum > 1.0 && fract(uv.x * 5.0) > 0.6) terminateInvocation;
  }
  target = vec4(color.rgb, 1.0) * (1.0 - 0.4 * sum);
}
