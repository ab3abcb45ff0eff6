#version 450
// Depth of a ball for each pixel of a square.
layout(location = 1) in vec2 uv;
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  vec2 at = uv * 2.0 - 1.0;
  float height = 1.0 - dot(at, at);
  if (height < 0.0) discard;
  float z = sqrt(height);
  gl_FragDepth = 0.5 - 0.3 * z;
  target = vec4(color.rgb * (0.3 + 0.7 * z), 1.0);
}
