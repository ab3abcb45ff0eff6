// SPDX-License-Identifier: MIT
// Doubles: sums, products, quotients, comparisons, roundings, minima, selects, with constants that instructions hold and
// such that they do not, in per-lane values, and in uniform ones, which come from push constants and go through a loop.
// Operands are 32 edge values, each with each, then random bits. NaN results become one pattern: their bits are open.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint64_t rows[][2048]; };
layout(push_constant) uniform Push { double base, factor; dvec2 pair; uint rounds; };

uint64_t bits(double x) { return isnan(x) ? 0x7ff8000000000000ul : doubleBitsToUint64(x); }

uint64_t order(double a, double b) {
  uint facts = uint(a < b) | uint(a <= b) << 1 | uint(a > b) << 2 | uint(a >= b) << 3 | uint(a == b) << 4 | uint(a != b) << 5;
  facts |= uint(!(a < b)) << 6 | uint(!(a >= b)) << 7 | uint(isnan(a)) << 8 | uint(isinf(b)) << 9;
  return uint64_t(facts);
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  bool edge = i < 1024u;
  double x = uint64BitsToDouble(inputs[edge ? i / 32u : i - 992u]), y = uint64BitsToDouble(inputs[edge ? i % 32u : i + 32u]);
  double z = uint64BitsToDouble(inputs[edge ? (i * 5u + i / 32u) % 32u : i - 991u]);
  precise double sum = x + y, difference = x - y, product = x * y, quotient = x / y;
  precise double apart = x * y + z, kept = z - x * y;
  rows[0][i] = bits(sum);
  rows[1][i] = bits(difference);
  rows[2][i] = bits(product);
  rows[3][i] = bits(quotient);
  rows[4][i] = bits(apart);
  rows[5][i] = bits(kept);
  rows[6][i] = bits(-x) ^ (bits(abs(y)) >> 1);
  rows[7][i] = order(x, y);
  rows[8][i] = order(x, 1.0lf) | order(0.1lf, y) << 10 | order(abs(x), -y) << 20;
  rows[9][i] = isnan(x) || isnan(y) || (x == 0.0lf && y == 0.0lf) ? 7ul : bits(min(x, y)) ^ bits(max(x, -y)) << 1;
  rows[10][i] = isnan(x) || x == 0.0lf ? 7ul : bits(clamp(x, -1.5lf, 1e300lf));
  rows[11][i] = bits(floor(x)) ^ bits(ceil(x)) << 1;
  rows[12][i] = bits(trunc(x)) ^ bits(roundEven(y)) << 1;
  rows[13][i] = isinf(x) || isnan(x) ? 3ul : bits(x < 0.0lf && x > -1e-16lf ? 0.5lf : fract(x));
  rows[14][i] = isnan(x) || isnan(y) || x == 0.0lf ? 5ul : bits(sign(x)) ^ bits(step(x, y));
  precise double inlined = (x + 0.5lf) * 4.0lf, literal = (x - 100.0lf) * 0.375lf, pair_constant = 0.1lf - x * 1.3lf;
  rows[15][i] = bits(inlined);
  rows[16][i] = bits(literal);
  rows[17][i] = bits(pair_constant);
  rows[18][i] = bits(x < y ? x : y * 3.0lf);
  precise double modified = -abs(x) - abs(-y) * -z;
  rows[19][i] = bits(modified);
  precise double uniforms = (x + base) * factor + pair.y;
  rows[20][i] = bits(uniforms);
  precise double third = x / 3.0lf, inverse = 1.0lf / y;
  rows[21][i] = bits(third);
  rows[22][i] = bits(inverse);

  // Uniform from here on.
  precise double state = base;
  for (uint r = 0; r < rounds; ++r) {
    state = state * factor - pair.x / (state + pair.y);
    if (state > 1e3lf) state = floor(state) * 0.0009765625lf;
    else if (state < pair.x) state = abs(state) + 0.25lf;
  }
  rows[23][i] = bits(state);
  rows[24][i] = order(state, base) + order(pair.x, pair.y);

  // Divergent loop; the walk stays finite.
  precise double walk = isnan(x) || isinf(x) ? 1.0lf : x;
  uint steps = 0;
  while (abs(walk) > 1.0lf && steps < 40u) {
    walk = walk * 0.7lf - 0.125lf;
    ++steps;
  }
  rows[25][i] = bits(walk) + uint64_t(steps);
}
