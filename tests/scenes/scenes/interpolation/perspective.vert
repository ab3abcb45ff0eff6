#version 450
// A rectangle that goes away from the eye: w is not the same at its corners.
layout(location = 0) smooth out vec2 smooth_uv;
layout(location = 1) noperspective out vec2 linear_uv;
layout(location = 2) flat out vec3 flat_color;
layout(push_constant) uniform Push { vec4 box; };

void main() {
  vec2 uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  smooth_uv = linear_uv = uv;
  flat_color = vec3(0.4 + 0.2 * float(gl_VertexIndex), 0.9 - 0.25 * float(gl_VertexIndex), 0.7);
  float w = mix(4.0, 1.0, uv.y);
  gl_Position = vec4(mix(box.xy, box.zw, uv) * vec2(1.0, 1.0) * w, 0.5 * w, w);
}
