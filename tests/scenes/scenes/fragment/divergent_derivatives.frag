#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;

void main() {
  // The branches differ from quad to quad, never within one.
  ivec2 quad = ivec2(gl_FragCoord.xy) / 2;
  int kind = (quad.x / 4 + quad.y / 4 * 3) % 5;
  vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
  if (kind == 0) {
    color.rgb = vec3(abs(dFdx(uv.x)) * 64.0, abs(dFdy(uv.y)) * 64.0, 0.3);
  } else if (kind == 1) {
    color = texture(picture, uv * 3.0);
  } else {
    float scale = 1.0;
    for (int i = 0; i < kind; ++i) {
      color.rgb += texture(picture, uv * scale).rgb * 0.4;
      scale *= 2.5;
    }
  }
  target = color;
}
