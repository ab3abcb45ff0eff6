#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Four corners whose colours and numbers come from buffers, farther away on the right.
layout(location = 0) in f16vec4 in_color;
layout(location = 1) in i16vec2 in_numbers;
layout(location = 2) in uint16_t in_id;
layout(location = 0) out f16vec3 color;
layout(location = 1) flat out i16vec2 numbers;
layout(location = 2) noperspective out float16_t stripes;
layout(location = 3) flat out uint16_t id;

void main() {
  vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  color = in_color.rgb * in_color.a;
  numbers = in_numbers + i16vec2(1, -2);
  stripes = float16_t(at.x * 6.0 + at.y);
  id = in_id;
  gl_Position = vec4(at * 1.8 - 0.9, 0.0, 1.0) * (1.0 + at.x);
}
