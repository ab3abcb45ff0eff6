#version 450
// A triangle is dropped when the distance is negative at all of its corners.
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_color;
layout(location = 0) out vec4 color;
out gl_PerVertex {
  vec4 gl_Position;
  float gl_CullDistance[1];
};

void main() {
  color = vec4(in_color, 1.0);
  gl_Position = vec4(in_position.xy, 0.5, 1.0);
  gl_CullDistance[0] = in_position.x + 0.1;
}
