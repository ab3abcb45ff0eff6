#version 450
layout(location = 0) in vec3 position;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform Camera {
  mat4 view_projection;
  vec4 eye;
};
layout(binding = 2) uniform sampler2D albedo;
layout(binding = 3) uniform sampler2D normals;  // height in alpha

void main() {
  // The floor's tangent goes along x, its bitangent along -z.
  vec3 v = normalize(eye.xyz - position);
  vec2 slope = vec2(-v.x, -v.z) / v.y * 0.04;
  vec2 dx = dFdx(uv) * 4.0;
  vec2 dy = dFdy(uv) * 4.0;
  vec2 at = uv * 4.0;
  float level = 1.0;
  for (int i = 0; i < 24; ++i) {
    if (textureGrad(normals, at, dx, dy).a >= level) break;
    at += slope / 12.0;
    level -= 1.0 / 24.0;
  }
  vec3 n = textureGrad(normals, at, dx, dy).xyz * 2.0 - 1.0;
  float diffuse = max(dot(normalize(n), normalize(vec3(0.5, 0.3, 0.8))), 0.0);
  target = vec4(textureGrad(albedo, at, dx, dy).rgb * (0.2 + 0.8 * diffuse), 1.0);
}
