#version 450
layout(location = 0) smooth in vec2 smooth_uv;
layout(location = 1) noperspective in vec2 linear_uv;
layout(location = 2) flat in vec3 flat_color;
layout(location = 0) out vec4 target;
layout(constant_id = 0) const int kMode = 0;

void main() {
  vec2 uv = kMode == 0 ? smooth_uv : linear_uv;
  vec2 waves = 0.5 + 0.5 * cos(uv * 37.6991);
  target = kMode == 2 ? vec4(flat_color, 1.0) : vec4(waves, uv.y, 1.0);
}
