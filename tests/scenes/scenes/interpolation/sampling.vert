#version 450
// Narrow triangles that cover parts of pixels.
layout(location = 0) out vec2 center_uv;
layout(location = 1) centroid out vec2 centroid_uv;
layout(push_constant) uniform Push { vec4 box; };

void main() {
  const vec2 corners[3] = vec2[](vec2(0.07, 0.03), vec2(0.93, 0.41), vec2(0.31, 0.97));
  vec2 at = corners[gl_VertexIndex % 3];
  float inner = float(gl_VertexIndex / 3) * 0.31;
  center_uv = centroid_uv = vec2(gl_VertexIndex % 3 == 1, gl_VertexIndex % 3 == 2);
  gl_Position = vec4(mix(box.xy, box.zw, mix(at, vec2(0.44, 0.47), inner)), 0.0, 1.0);
}
