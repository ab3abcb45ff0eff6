#version 450
// Only positions: what the light sees.
layout(location = 0) in vec3 in_position;
layout(binding = 0) uniform Light { mat4 view_projection; };
layout(binding = 1) uniform Object { mat4 model; };

void main() {
  gl_Position = view_projection * (model * vec4(in_position, 1.0));
}
