#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 target;
layout(binding = 2) uniform Light { mat4 light_view_projection; };
layout(binding = 3) uniform sampler2DShadow shadow_map;
layout(push_constant) uniform Push { vec4 color; };

void main() {
  vec4 seen = light_view_projection * vec4(position, 1.0);
  vec3 at = vec3(seen.xy / seen.w * 0.5 + 0.5, seen.z / seen.w);
  float lit = 0.0;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      lit += texture(shadow_map, at + vec3(vec2(x, y) / 128.0, 0.0)) / 9.0;
    }
  }
  float diffuse = max(dot(normalize(normal), normalize(vec3(3.0, 4.0, 2.0))), 0.0);
  target = vec4(color.rgb * (0.25 + 0.75 * diffuse * lit), 1.0);
}
