#version 450
layout(location = 0) in vec3 in_position;
layout(location = 0) out vec3 position;
layout(binding = 0) uniform Face { mat4 view_projection; };
layout(binding = 1) uniform Object { mat4 model; };

void main() {
  vec4 world = model * vec4(in_position, 1.0);
  position = world.xyz;
  // The faces of a cube map are seen from inside in a left-handed space.
  gl_Position = view_projection * world * vec4(1.0, -1.0, 1.0, 1.0);
}
