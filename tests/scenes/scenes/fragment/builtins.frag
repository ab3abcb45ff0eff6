#version 450
layout(location = 0) out vec4 target;
layout(constant_id = 0) const int kMode = 0;
layout(origin_upper_left) in vec4 gl_FragCoord;

void main() {
  vec3 color = vec3(0.0);
  if (kMode == 0) color = vec3(gl_FragCoord.xy / 128.0, gl_FragCoord.z);
  if (kMode == 1) color = gl_FrontFacing ? vec3(0.2, 0.8, 0.3) : vec3(0.8, 0.3, 0.2);
  if (kMode == 2) color = vec3((ivec2(gl_FragCoord.xy) / 4) & 1, 0.3);
  if (kMode == 3) color = vec3(1.0 / gl_FragCoord.w * 0.25, 0.5, 0.1);
  target = vec4(color, 1.0);
}
