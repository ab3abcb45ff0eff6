#version 450
// A cloud: rays through a 3D texture, lit from above.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler3D cloud;

void main() {
  vec3 ray = normalize(vec3(uv - 0.5, 1.2));
  vec3 at = vec3(uv * 0.8 + 0.1, 0.02);
  float through = 1.0;
  vec3 light = vec3(0.0);
  for (int i = 0; i < 24; ++i) {
    vec3 p = at + ray * (float(i) * 0.04);
    float round_off = max(0.0, 1.0 - length(p - 0.5) * 2.1);
    float density = max(textureLod(cloud, p, 0.0).r - 0.35, 0.0) * round_off * 1.4;
    float above = max(textureLod(cloud, p - vec3(0.0, 0.12, 0.0), 0.0).r - 0.35, 0.0);
    light += through * density * mix(vec3(1.0, 0.95, 0.9), vec3(0.3, 0.35, 0.5), min(above * 2.5, 1.0));
    through *= 1.0 - density;
  }
  target = vec4(light + through * vec3(0.25, 0.45, 0.8), 1.0);
}
