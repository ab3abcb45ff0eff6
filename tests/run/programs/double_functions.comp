// SPDX-License-Identifier: MIT
// Functions of doubles. Square roots are exact, on edge values and random bits; the others, on numbers between 1 and 2,
// are compared with a tolerance.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { double rows[][512]; };

double moderate(uint at) { return uint64BitsToDouble(0x3ff0000000000000ul | inputs[at & 2047u] >> 12); }
dvec2 pair(uint at) { return dvec2(moderate(at), -moderate(at + 1u)); }
dvec3 triple(uint at) { return dvec3(pair(at), moderate(at + 2u) - 1.5lf); }
dvec4 quadruple(uint at) { return dvec4(pair(at + 3u), pair(at + 1u).yx); }
double summed(dvec3 v) { return v.x + 2.0lf * v.y + 4.0lf * v.z; }
double summed(dvec4 v) { return v.x + 2.0lf * v.y + 4.0lf * v.z + 8.0lf * v.w; }

void main() {
  uint i = gl_GlobalInvocationID.x;
  double raw = abs(uint64BitsToDouble(inputs[i])), x = moderate(i), y = moderate(i + 17u);
  rows[0][i] = isnan(raw) ? 1.0lf : sqrt(raw);
  rows[1][i] = isnan(raw) ? 1.0lf : inversesqrt(raw);
  rows[2][i] = length(pair(i)) + length(triple(i)) + length(quadruple(i)) + length(-x);
  rows[3][i] = distance(triple(i), triple(i + 5u)) + distance(x, y);
  rows[4][i] = summed(normalize(triple(i)));
  rows[5][i] = summed(cross(triple(i), triple(i + 31u)));
  rows[6][i] = summed(faceforward(triple(i), triple(i + 31u), triple(i + 2u)));
  rows[7][i] = summed(reflect(triple(i), normalize(triple(i + 31u))));
  rows[8][i] = summed(refract(normalize(triple(i)), normalize(triple(i + 31u)), 0.4lf)) + summed(refract(dvec3(0.6lf, -0.8lf, 0.0lf), dvec3(0.0lf, 1.0lf, 0.0lf), y));
  rows[9][i] = mix(x, y, 0.3lf) + mix(-x, y, i % 3u == 0u) + summed(mix(triple(i), triple(i + 1u), moderate(i + 2u)));
  rows[10][i] = smoothstep(1.0lf, 2.0lf, x) + smoothstep(x - 1.0lf, y + 1.0lf, 1.5lf);
  rows[11][i] = mod(x * 5.7lf, y) + mod(-x * 9.1lf, 2.5lf);
  rows[12][i] = dot(pair(i), pair(i + 2u)) + dot(triple(i), triple(i + 3u)) + dot(quadruple(i), quadruple(i + 4u));
  dmat2 m2 = dmat2(4.0lf + x, y, -x, 5.0lf);
  dmat3 m3 = dmat3(triple(i), triple(i + 3u), triple(i + 6u)) + dmat3(6.0lf);
  dmat4 m4 = dmat4(quadruple(i), quadruple(i + 4u), quadruple(i + 8u), quadruple(i + 12u)) + dmat4(9.0lf);
  rows[13][i] = determinant(m2) + determinant(m3) + determinant(m4);
  rows[14][i] = summed(inverse(m3) * triple(i + 9u)) + inverse(m2)[1][0];
  rows[15][i] = summed(inverse(m4) * quadruple(i + 9u));
  rows[16][i] = summed(m4 * m4 * quadruple(i)) + summed(quadruple(i) * m4) + summed(transpose(m3) * triple(i)) + outerProduct(pair(i), pair(i + 1u))[0][1];
  dmat3x2 tall = dmat3x2(pair(i), pair(i + 2u), pair(i + 4u));
  dmat2x3 wide = dmat2x3(triple(i), triple(i + 3u));
  dmat2 product = tall * wide;
  rows[17][i] = product[0][0] + product[1][0] * 2.0lf + product[0][1] * 4.0lf + product[1][1] * 8.0lf + matrixCompMult(m2, product)[1][1];
}
