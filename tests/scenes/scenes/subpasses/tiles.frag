#version 450
layout(location = 0) out vec4 target;

void main() {
  ivec2 tile = (ivec2(gl_FragCoord.xy) + 1) / 5;
  target = vec4(vec3(tile.x % 3, tile.y % 4, (tile.x + tile.y) % 2) * vec3(0.4, 0.3, 0.8), 1.0);
}
