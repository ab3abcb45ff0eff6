#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

void main() {
  precise vec2 c = vec2(uv.x * 2.75 - 2.0, uv.y * 2.5 - 1.25);
  precise vec2 z = vec2(0.0);
  int rounds = 0;
  for (; rounds < 60; ++rounds) {
    precise float x = z.x * z.x - z.y * z.y;
    precise float y = z.x * z.y * 2.0;
    z = vec2(x, y) + c;
    precise float size = z.x * z.x + z.y * z.y;
    if (size > 4.0) break;
  }
  vec3 color = vec3(rounds & 7, rounds >> 1 & 7, rounds >> 2 & 7) / 7.0;
  target = vec4(rounds == 60 ? vec3(0.0) : color, 1.0);
}
