#version 450
// A rectangle of two triangles: push constants say where it is and which colour it has.
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 uv;
layout(push_constant) uniform Push {
  vec4 box;  // left, top, right, bottom in clip space
  vec4 fill;
  float depth;
};

void main() {
  uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  color = fill;
  gl_Position = vec4(mix(box.xy, box.zw, uv), depth, 1.0);
}
