#version 450
in float gl_ClipDistance[2];
in float gl_CullDistance[5];
layout(location = 0) out vec4 target;

void main() {
  float near_edge = min(gl_ClipDistance[0], gl_ClipDistance[1]);
  target = vec4(gl_CullDistance[1], gl_CullDistance[4], near_edge, 1.0);
  if (near_edge < 0.1) target.rgb = vec3(gl_CullDistance[0] + gl_CullDistance[3]);
}
