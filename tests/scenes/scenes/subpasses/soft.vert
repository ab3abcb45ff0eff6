#version 450
// A square that faces the viewer, at its own depth.
layout(location = 0) out vec2 at;
layout(push_constant) uniform Push {
  vec4 place;  // of the centre; w: half of the size
  vec4 color;
};

void main() {
  at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
  gl_Position = vec4(place.xy + at * place.w, place.z, 1.0);
}
