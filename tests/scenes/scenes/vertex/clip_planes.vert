#version 450
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 0) out vec3 normal;
layout(location = 1) out vec4 color;
layout(binding = 0) uniform Camera { mat4 view_projection; };
layout(push_constant) uniform Push { vec4 planes[2]; };
out gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[2];
};

void main() {
  normal = in_normal;
  color = vec4(0.9, 0.5, 0.2, 1.0);
  gl_Position = view_projection * vec4(in_position, 1.0);
  for (int i = 0; i < 2; ++i) gl_ClipDistance[i] = dot(planes[i], vec4(in_position, 1.0));
}
