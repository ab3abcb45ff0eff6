#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform texture2D albedo;
layout(binding = 1) uniform texture2D normals;
layout(binding = 2) uniform texture2D positions;
layout(binding = 3) uniform sampler nearest;
struct Light {
  vec4 place;  // w: reach
  vec4 color;
};
layout(std430, binding = 4) readonly buffer Lights { Light lights[]; };

void main() {
  vec4 p = texture(sampler2D(positions, nearest), uv);
  if (p.w == 0.0) {
    target = vec4(0.02, 0.02, 0.05, 1.0);
    return;
  }
  vec3 n = texture(sampler2D(normals, nearest), uv).xyz;
  vec3 base = texture(sampler2D(albedo, nearest), uv).rgb;
  vec3 sum = base * 0.08;
  for (int i = 0; i < lights.length(); ++i) {
    vec3 to_light = lights[i].place.xyz - p.xyz;
    float away = length(to_light);
    float fade = max(1.0 - away / lights[i].place.w, 0.0);
    sum += base * lights[i].color.rgb * max(dot(n, to_light / away), 0.0) * fade;
  }
  target = vec4(sum, 1.0);
}
