// SPDX-License-Identifier: MIT
// Products and sums of doubles that are rounded once, with modifiers and constants; exponents of denormals, taken off and
// put back. The operands are those of double_arithmetic.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint64_t inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint64_t rows[][2048]; };

uint64_t bits(double x) { return isnan(x) ? 0x7ff8000000000000ul : doubleBitsToUint64(x); }

void main() {
  uint i = gl_GlobalInvocationID.x;
  bool edge = i < 1024u;
  double x = uint64BitsToDouble(inputs[edge ? i / 32u : i - 992u]), y = uint64BitsToDouble(inputs[edge ? i % 32u : i + 32u]);
  double z = uint64BitsToDouble(inputs[edge ? (i * 5u + i / 32u) % 32u : i - 991u]);
  precise double product = x * y;
  precise double fused[4] = double[](fma(x, y, -z), fma(-abs(x), 1.5lf, -product), fma(x, 0.1lf, 4.0lf), fma(2.0lf, y, abs(x)));
  for (uint k = 0; k < 4u; ++k) rows[k][i] = bits(fused[k]);
  int exponent = 5;
  double mantissa = isnan(x) || isinf(x) ? 0.5lf : frexp(x, exponent);
  rows[4][i] = bits(mantissa) + uint64_t(uint(exponent));
  rows[5][i] = bits(ldexp(mantissa, exponent));
}
