#version 450
// Four corners whose colours and numbers come from buffers, farther away on the right.
layout(location = 0) in vec4 in_color;
layout(location = 1) in ivec2 in_numbers;
layout(location = 2) in uint in_id;
layout(location = 0) out vec3 color;
layout(location = 1) flat out ivec2 numbers;
layout(location = 2) noperspective out float stripes;
layout(location = 3) flat out uint id;

void main() {
  vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  color = in_color.rgb * in_color.a;
  numbers = in_numbers + ivec2(1, -2);
  stripes = float(at.x * 6.0 + at.y);
  id = in_id;
  gl_Position = vec4(at * 1.8 - 0.9, 0.0, 1.0) * (1.0 + at.x);
}
