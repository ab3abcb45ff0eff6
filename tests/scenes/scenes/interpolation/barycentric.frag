#version 450
#extension GL_EXT_fragment_shader_barycentric : require
// Interpolates by itself, without perspective in stripes; the rim has the numbers of the vertices.
layout(constant_id = 0) const int kCorners = 3;
layout(location = 0) pervertexEXT in vec3 color[];
layout(location = 1) pervertexEXT in int number[];
layout(location = 0) out vec4 target;

void main() {
  vec3 weights = gl_BaryCoordEXT, flat_weights = gl_BaryCoordNoPerspEXT;
  vec3 first = color[0], second = vec3(0.0), third = vec3(0.0);
  ivec3 numbers = ivec3(number[0], 0, 0);
  if (kCorners > 1) {
    second = color[1];
    numbers.y = number[1];
  }
  if (kCorners > 2) {
    third = color[2];
    numbers.z = number[2];
  }
  vec3 mixed = weights.x * first + weights.y * second + weights.z * third;
  float stripes = fract(flat_weights.x * 5.0) < 0.5 ? 1.0 : 0.75;
  if (kCorners == 3 && min(min(weights.x, weights.y), weights.z) < 0.06) mixed = vec3(numbers.x % 5, numbers.y % 7, numbers.z % 3) / 7.0;
  target = vec4(mixed * stripes, flat_weights.z);
}
