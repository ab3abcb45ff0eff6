#version 450
// Two bones bend a cylinder; the weights follow the height.
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 0) out vec3 normal;
layout(location = 1) out vec4 color;
layout(binding = 0) uniform Camera { mat4 view_projection; };
layout(binding = 1) uniform Bones { mat4 bones[3]; };

void main() {
  float along = clamp(in_position.y, -1.0, 1.0) + 1.0;  // 0 to 2
  vec3 weights = vec3(max(1.0 - along, 0.0), 1.0 - abs(along - 1.0), max(along - 1.0, 0.0));
  mat4 skin = bones[0] * weights.x + bones[1] * weights.y + bones[2] * weights.z;
  normal = mat3(skin) * in_normal;
  color = vec4(weights * 0.8 + 0.2, 1.0);
  gl_Position = view_projection * (skin * vec4(in_position, 1.0));
}
