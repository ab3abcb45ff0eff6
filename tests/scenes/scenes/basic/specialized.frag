#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(constant_id = 0) const int kPetals = 3;
layout(constant_id = 1) const float kSize = 0.5;
layout(constant_id = 2) const bool kInverted = false;
const int kTwice = kPetals * 2;

void main() {
  vec2 at = uv * 2.0 - 1.0;
  float reach = kSize * (0.7 + 0.3 * cos(atan(at.y, at.x) * float(kTwice)));
  bool inside = (length(at) < reach) != kInverted;
  target = inside ? vec4(1.0, 0.8, 0.2, 1.0) : vec4(0.1, 0.3, 0.4, 1.0);
}
