#version 450
// Light and fog from what the subpass before wrote at this pixel.
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput albedo;
layout(input_attachment_index = 1, binding = 1) uniform subpassInput normals;
layout(input_attachment_index = 2, binding = 2) uniform subpassInput depth;

void main() {
  vec4 normal = subpassLoad(normals);
  vec3 base = subpassLoad(albedo).rgb;
  float lit = 0.2 + 0.8 * max(dot(normal.xyz, normalize(vec3(0.4, 0.8, 0.5))), 0.0);
  float away = 1.5 * 9.0 / (9.0 - subpassLoad(depth).r * 7.5);
  float fog = clamp((away - 3.0) / 5.0, 0.0, 1.0);
  target = vec4(mix(base * lit * normal.w, vec3(0.55, 0.65, 0.8), fog), 1.0);
}
