#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 tangent;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform Camera {
  mat4 view_projection;
  vec4 eye;
};
layout(binding = 2) uniform sampler2D albedo;
layout(binding = 3) uniform sampler2D normals;

void main() {
  vec3 n = normalize(normal);
  vec3 t = normalize(tangent.xyz - n * dot(n, tangent.xyz));
  vec3 b = cross(n, t) * tangent.w;
  vec2 at = uv * vec2(4.0, 2.0);
  vec3 bump = texture(normals, at).xyz * 2.0 - 1.0;
  n = normalize(mat3(t, b, n) * bump);
  vec3 to_light = normalize(vec3(2.0, 3.0, 2.5) - position);
  vec3 half_way = normalize(to_light + normalize(eye.xyz - position));
  float diffuse = max(dot(n, to_light), 0.0);
  float specular = pow(max(dot(n, half_way), 0.0), 16.0);
  target = vec4(texture(albedo, at).rgb * (0.15 + 0.85 * diffuse) + 0.3 * specular, 1.0);
}
