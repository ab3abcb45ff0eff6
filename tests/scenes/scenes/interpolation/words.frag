#version 450
layout(location = 0) in vec3 color;
layout(location = 1) flat in ivec2 numbers;
layout(location = 2) noperspective in float stripes;
layout(location = 3) flat in uint id;
layout(location = 0) out vec4 target;
layout(location = 1) out ivec2 out_numbers;
layout(location = 2) out uint out_id;

void main() {
  float bright = float(0.6) + float(0.4) * abs(fract(stripes) - float(0.5));
  target = vec4(color * bright, float(1.0));
  out_numbers = numbers * ivec2(3, -5);
  out_id = id + uint(7);
}
