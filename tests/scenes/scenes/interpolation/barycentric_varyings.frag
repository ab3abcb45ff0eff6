#version 450
layout(constant_id = 0) const int kCorners = 3;
layout(location = 0) in vec3 weights;
layout(location = 1) noperspective in vec3 flat_weights;
layout(location = 2) flat in vec3 first;
layout(location = 3) flat in vec3 second;
layout(location = 4) flat in vec3 third;
layout(location = 5) flat in ivec3 numbers;
layout(location = 0) out vec4 target;

void main() {
  vec3 mixed = weights.x * first + weights.y * second + weights.z * third;
  float stripes = fract(flat_weights.x * 5.0) < 0.5 ? 1.0 : 0.75;
  if (kCorners == 3 && min(min(weights.x, weights.y), weights.z) < 0.06) mixed = vec3(numbers.x % 5, numbers.y % 7, numbers.z % 3) / 7.0;
  target = vec4(mixed * stripes, flat_weights.z);
}
