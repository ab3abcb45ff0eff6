#version 450
// Depth falls from left to right, with a flat step of 0.5 in the middle.
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec4 box; };

void main() {
  const vec2 steps[4] = vec2[](vec2(0.0, 0.9), vec2(0.42, 0.5), vec2(0.61, 0.5), vec2(1.0, 0.2));
  vec2 at = steps[gl_VertexIndex >> 1];
  color = vec4(at.x, 1.0 - at.x, float(gl_VertexIndex & 1), 1.0);
  gl_Position = vec4(mix(box.xy, box.zw, vec2(at.x, gl_VertexIndex & 1)), at.y, 1.0);
}
