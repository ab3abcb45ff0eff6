#version 450
// Metals and plastics: one light by the microfacet model of Cook and Torrance, and a mipmapped cube around.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform Camera {
  mat4 view_projection;
  vec4 eye;
};
layout(binding = 2) uniform samplerCube sky;
layout(push_constant) uniform Push {
  vec3 albedo;
  float metallic;
  float roughness;
};
const float kPi = 3.14159265;

float distribution(float n_h, float alpha) {
  float a2 = alpha * alpha;
  float d = n_h * n_h * (a2 - 1.0) + 1.0;
  return a2 / (kPi * d * d);
}

float visibility(float n_v, float n_l, float alpha) {
  float k = alpha * 0.5;
  return 0.25 / ((n_v * (1.0 - k) + k) * (n_l * (1.0 - k) + k));
}

void main() {
  vec3 n = normalize(normal);
  vec3 v = normalize(eye.xyz - position);
  vec3 l = normalize(vec3(1.0, 1.0, 1.0));
  vec3 h = normalize(v + l);
  float n_l = max(dot(n, l), 0.0);
  float n_v = max(dot(n, v), 0.05);
  float alpha = roughness * roughness;
  vec3 f0 = mix(vec3(0.04), albedo, metallic);
  vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - max(dot(h, v), 0.0), 5.0);
  vec3 specular = fresnel * (distribution(max(dot(n, h), 0.0), alpha) * visibility(n_v, n_l, alpha));
  vec3 diffuse = albedo * (1.0 - metallic) / kPi;
  vec3 color = (diffuse + specular) * n_l * 2.5;
  vec3 around = textureLod(sky, reflect(-v, n), roughness * 4.0).rgb;
  color += around * (f0 + (1.0 - f0) * pow(1.0 - n_v, 5.0) * (1.0 - roughness));
  color += textureLod(sky, n, 4.0).rgb * albedo * (1.0 - metallic) * 0.5;
  target = vec4(color / (1.0 + color * 0.4), 1.0);
}
