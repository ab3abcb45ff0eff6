// SPDX-License-Identifier: MIT
// Doubles from and to floats, integers of 8 to 64 bits and conditions, taken apart and put together. What is out of range
// of an integer is open and not asked, and so are floats that are denormal.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint64_t rows[][2048]; };
layout(push_constant) uniform Push { double number; int64_t wide; int word; float single; };

uint64_t bits(double x) { return isnan(x) ? 0x7ff8000000000000ul : doubleBitsToUint64(x); }
bool below(double x, double bound) { return abs(x) < bound; }

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t raw = inputs[i];
  double x = uint64BitsToDouble(raw);
  double y = double(int64_t(raw) >> (i & 63u)) * 0.125lf, z = double(raw >> (i & 63u)) * 0.25lf;
  rows[0][i] = bits(y);
  rows[1][i] = bits(z);
  rows[2][i] = isnan(x) || below(x, 1.1754944e-38lf) && x != 0.0lf ? 1ul : uint64_t(floatBitsToUint(float(x)));
  rows[3][i] = uint64_t(floatBitsToUint(float(y))) + uint64_t(floatBitsToUint(float(-z)));
  float f = uintBitsToFloat(uint(raw) & 0xbfffffffu | 0x00800000u);
  rows[4][i] = bits(double(f)) + bits(double(-abs(f)));
  rows[5][i] = (below(y, 2147483648.0lf) ? uint64_t(uint(int(y))) : 3ul) + (z < 4294967296.0lf ? uint64_t(uint(z)) : 4ul);
  rows[6][i] = (below(y, 9e18lf) ? uint64_t(int64_t(y)) : 3ul) ^ (z < 1.8e19lf ? uint64_t(z) : 4ul) << 1;
  rows[7][i] = bits(double(int(raw))) + bits(double(uint(raw >> 32)));
  rows[8][i] = bits(double(int16_t(raw))) + bits(double(uint16_t(raw >> 20))) + bits(double(int8_t(raw >> 40))) + bits(double(uint8_t(raw >> 50)));
  rows[9][i] = (below(y, 32768.0lf) ? uint64_t(uint(int16_t(y))) : 5ul) + (z < 256.0lf ? uint64_t(uint8_t(z)) : 6ul) +
               (below(y, 128.0lf) ? uint64_t(uint(int8_t(y))) : 7ul);
  rows[10][i] = uint64_t(bool(x)) + bits(double(x > y)) + uint64_t(bool(-y)) * 2ul;
  int exponent = 77;
  bool is_normal = !isnan(x) && !isinf(x) && (x == 0.0lf || !below(x, 2.3e-308lf));
  double mantissa = is_normal ? frexp(x, exponent) : 0.5lf;
  rows[11][i] = bits(mantissa) + uint64_t(uint(exponent));
  rows[12][i] = bits(ldexp(y, int(i & 63u) - 30)) ^ bits(ldexp(z, 5)) << 1;
  double whole;
  double part = modf(y, whole);
  rows[13][i] = (part == 0.0lf ? 9ul : bits(part)) + bits(whole) * 3ul;
  uvec2 halves = unpackDouble2x32(x);
  double swapped = packDouble2x32(halves.yx);
  rows[14][i] = (uint64_t(halves.y) << 1) ^ uint64_t(halves.x) ^ bits(swapped);
  rows[15][i] = doubleBitsToUint64(x) ^ uint64_t(doubleBitsToInt64(-y));
  rows[16][i] = bits(double(wide) + double(word) + double(single)) ^ uint64_t(int64_t(number * 1e9lf)) ^ uint64_t(uint(number)) ^
                uint64_t(uint(int(-number))) ^ uint64_t(floatBitsToUint(float(number)));
  dvec3 v = dvec3(vec3(f, 1.5, float(i)));
  ivec2 w = ivec2(dvec2(v.z, -v.y));
  rows[17][i] = bits(v.x) + bits(v.y) + uint64_t(w.x - w.y);
}
