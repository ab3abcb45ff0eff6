#version 450
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform usubpassInput ids;
layout(input_attachment_index = 1, binding = 1) uniform isubpassInput places;

void main() {
  uint id = subpassLoad(ids).r;
  ivec2 away = subpassLoad(places).rg;
  vec3 color = vec3(uvec3(id >> 24, id >> 16, id >> 8) & 255u) / 255.0;
  target = vec4(away.x * away.x + away.y * away.y < 12 ? color : color * 0.4, 1.0);
}
