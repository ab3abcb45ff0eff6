// SPDX-License-Identifier: MIT
// Floats that are the same for all invocations and go around loops: sums, products, one that needs a square root, two that change places.
#version 450
layout(local_size_x = 64) in;

layout(push_constant) uniform Push { uint terms; float x; float start; };
layout(set = 0, binding = 0, std140) uniform Coefficients { vec4 coefficients[8]; };
layout(set = 0, binding = 1) writeonly buffer Results { float results[6][64]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  precise float sum = 0.0, power = 1.0;
  for (uint k = 0; k < terms; ++k) {
    sum += coefficients[k >> 2][k & 3u] * power;
    power *= x;
  }
  float root = start;
  for (uint k = 0; k < terms; ++k) root = sqrt(root) * 4.0;
  float left = x, right = start;
  for (uint k = 0; k < terms; ++k) {
    float old = left;
    left = right;
    right = max(old - 1.0, -3.0);
  }
  float mixed = start;
  for (uint k = 0; k < terms; ++k) mixed = k == 2u ? root : mixed + x;
  results[0][i] = sum;
  results[1][i] = power;
  results[2][i] = root;
  results[3][i] = left;
  results[4][i] = right * float(i);
  results[5][i] = mixed;
}
