#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in f16vec3 color;
layout(location = 1) flat in i16vec2 numbers;
layout(location = 2) noperspective in float16_t stripes;
layout(location = 3) flat in uint16_t id;
layout(location = 0) out f16vec4 target;
layout(location = 1) out i16vec2 out_numbers;
layout(location = 2) out uint16_t out_id;

void main() {
  float16_t bright = float16_t(0.6) + float16_t(0.4) * abs(fract(stripes) - float16_t(0.5));
  target = f16vec4(color * bright, float16_t(1.0));
  out_numbers = numbers * i16vec2(3, -5);
  out_id = id + uint16_t(7);
}
