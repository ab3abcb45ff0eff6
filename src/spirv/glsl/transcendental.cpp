// SPDX-License-Identifier: MIT
// Transcendental functions from the ones that the hardware has: exp2, log2, sin, cos, sqrt and division.
//
// Vulkan asks for exp within 3 + 2|x| ULP, log within 3 ULP, atan and atan2 within 4096 ULP; asin, acos and the
// hyperbolic functions inherit their error from formulas over those. The polynomials here are minimax fits (Remez) with
// relative errors of about 1e-7, far below what is asked for.
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "base/half.h"
#include "spirv/glsl/glsl.h"

namespace spalt::spirv {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kHalfPi = kPi / 2;

/// c[0] + z * (c[1] + z * (...))
Value polynomial(Builder& b, Value z, std::span<const float> c) {
  Value sum = like(b, z, c.back());
  for (size_t i = c.size() - 1; i > 0; --i) sum = b.ffma(sum, z, like(b, z, c[i - 1]));
  return sum;
}

/// The integer type of the same width.
ir::Type bits_of(ir::Type type) {
  switch (type.scalar) {
    case ir::Scalar::f16:
      return ir::kI16;
    case ir::Scalar::f32:
      return ir::kI32;
    default:
      return ir::kI64;
  }
}

/// For |x| <= 1/2, asin(|x|); above, (pi/2 - asin(|x|)) / 2, which is asin(sqrt((1 - |x|) / 2)).
struct ArcSine {
  Value value;
  Value is_small;
};
ArcSine arc_sine(Builder& b, Value x) {
  static constexpr float kCoefficients[] = {0.166667536f, 0.0749524161f, 0.0454770997f, 0.0241475999f, 0.0422185697f};
  const Value magnitude = b.fabs(x);
  const Value is_small = b.binary(Op::fole, magnitude, like(b, x, 0.5));
  const Value square = b.fmul(x, x);
  const Value rest = b.fsub(like(b, x, 1.0), magnitude);
  const Value half = b.fmul(rest, like(b, x, 0.5));
  const Value z = b.select(is_small, square, half);
  const Value root = b.unary(Op::fsqrt, half);
  const Value s = b.select(is_small, magnitude, root);
  const Value correction = b.fmul(polynomial(b, z, kCoefficients), z);
  return {b.ffma(s, correction, s), is_small};
}

/// atan of a value in [0, 1].
Value arc_tangent(Builder& b, Value t) {
  static constexpr float kCoefficients[] = {-0.333323926f,  0.199742138f,  -0.140413284f,  0.0996847302f,
                                            -0.0602031313f, 0.0247340649f, -0.00482253451f};
  const Value z = b.fmul(t, t);
  const Value correction = b.fmul(polynomial(b, z, kCoefficients), z);
  return b.ffma(t, correction, t);
}

/// smaller / larger, magnitudes. The reciprocal of an f32 above 2^126 is denormal and may be flushed, so both are
/// scaled down where the divisor is that large; a dividend that this flushes is too small for a ratio other than zero.
Value ratio_of(Builder& b, Value smaller, Value larger) {
  if (b.function().type(larger) != ir::kF32) return b.fdiv(smaller, larger);
  const Value is_huge = b.binary(Op::folt, like(b, larger, 0x1p125), larger);
  const Value scale = b.select(is_huge, like(b, larger, 0.25), like(b, larger, 1.0));
  return b.fdiv(b.fmul(smaller, scale), b.fmul(larger, scale));
}

Value exp_of(Builder& b, Value x) {
  const Value exponent = b.fmul(x, like(b, x, std::numbers::log2e_v<float>));
  return b.unary(Op::fexp2, exponent);
}
Value log_of(Builder& b, Value x) {
  const Value log2 = b.unary(Op::flog2, x);
  return b.fmul(log2, like(b, x, std::numbers::ln2_v<float>));
}

}  // namespace

Value copy_sign(Builder& b, Value magnitude, Value sign) {
  const ir::Type type = b.function().type(sign), integer = bits_of(type);
  const uint64_t top = uint64_t{1} << (type.bits() - 1);
  const Value bits = b.iand(b.bitcast(integer, magnitude), b.integer(integer, top - 1));
  const Value sign_bit = b.iand(b.bitcast(integer, sign), b.integer(integer, top));
  return b.bitcast(type, b.ior(bits, sign_bit));
}

Value glsl_exp(Builder& b, const Value* x) {
  return exp_of(b, x[0]);
}

Value glsl_log(Builder& b, const Value* x) {
  return log_of(b, x[0]);
}

namespace {

/// pow with this exponent takes no more than three products: fewer cycles than log2 and exp2 on every target, and
/// closer.
Value product_power(Builder& b, Value x, float exponent) {
  if (exponent == 1) return x;
  const auto square = [&b](Value value) { return b.fmul(value, value); };
  const Value second = square(x);
  if (exponent == 2) return second;
  if (exponent == 3) return b.fmul(second, x);
  const Value fourth = square(second);
  if (exponent == 4) return fourth;
  if (exponent == 5) return b.fmul(fourth, x);
  return exponent == 6 ? b.fmul(fourth, second) : square(fourth);
}

/// 1 to 6, 8, or 0 for any other value.
float product_exponent(const ir::Function& function, Value value) {
  if (!function.is_constant(value)) return 0;
  const auto bits = static_cast<uint32_t>(function.inst(value).imm);
  const float exponent = function.type(value) == ir::kF16 ? half_to_float(bits) : std::bit_cast<float>(bits);
  for (float whole : {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 8.0f}) {
    if (exponent == whole) return whole;
  }
  return 0;
}

}  // namespace

Value glsl_pow(Builder& b, const Value* x) {
  if (const float whole = product_exponent(b.function(), x[1]); whole != 0) return product_power(b, x[0], whole);
  const Value log2 = b.unary(Op::flog2, x[0]);
  const Value exponent = b.fmul(x[1], log2);
  return b.unary(Op::fexp2, exponent);
}

Value glsl_tan(Builder& b, const Value* x) {
  const Value sine = b.unary(Op::fsin, x[0]);
  const Value cosine = b.unary(Op::fcos, x[0]);
  return b.fdiv(sine, cosine);
}

Value glsl_asin(Builder& b, const Value* x) {
  const ArcSine arc = arc_sine(b, x[0]);
  const Value large = b.ffma(arc.value, like(b, x[0], -2.0), like(b, x[0], kHalfPi));
  const Value result = b.select(arc.is_small, arc.value, large);
  return copy_sign(b, result, x[0]);
}

Value glsl_acos(Builder& b, const Value* x) {
  const ArcSine arc = arc_sine(b, x[0]);
  const Value signed_arc = copy_sign(b, arc.value, x[0]);
  const Value small = b.fsub(like(b, x[0], kHalfPi), signed_arc);
  const Value twice = b.fmul(arc.value, like(b, x[0], 2.0));
  const Value mirrored = b.fsub(like(b, x[0], kPi), twice);
  const Value negative = b.binary(Op::folt, x[0], like(b, x[0], 0.0));
  const Value large = b.select(negative, mirrored, twice);
  return b.select(arc.is_small, small, large);
}

Value glsl_atan(Builder& b, const Value* x) {
  const Value magnitude = b.fabs(x[0]);
  const Value is_large = b.binary(Op::folt, like(b, x[0], 1.0), magnitude);
  const Value inverse = b.fdiv(like(b, x[0], 1.0), magnitude);
  const Value t = b.select(is_large, inverse, magnitude);
  const Value angle = arc_tangent(b, t);
  const Value mirrored = b.fsub(like(b, x[0], kHalfPi), angle);
  const Value result = b.select(is_large, mirrored, angle);
  return copy_sign(b, result, x[0]);
}

Value glsl_atan2(Builder& b, const Value* x) {
  const Value height = b.fabs(x[0]);
  const Value width = b.fabs(x[1]);
  const Value steep = b.binary(Op::folt, width, height);
  const Value larger = b.binary(Op::fmax, height, width);
  const Value smaller = b.binary(Op::fmin, height, width);
  const ir::Type type = b.function().type(x[0]);
  Value ratio = ratio_of(b, smaller, larger);
  if (!b.may(type, ir::kNoInf)) {
    const Value is_infinite = b.binary(Op::foeq, smaller, like(b, x[0], HUGE_VAL));
    ratio = b.select(is_infinite, like(b, x[0], 1.0), ratio);
  }
  const Value angle = arc_tangent(b, ratio);
  const Value mirrored = b.fsub(like(b, x[0], kHalfPi), angle);
  const Value octant = b.select(steep, mirrored, angle);
  // The sign bit of x decides, so that (+-0, -0) and (y, -0) come out on the left side.
  const ir::Type integer = bits_of(type);
  const Value left = b.binary(Op::slt, b.bitcast(integer, x[1]), b.integer(integer, 0));
  const Value turned = b.fsub(like(b, x[0], kPi), octant);
  Value result = b.select(left, turned, octant);
  if (!b.may(type, ir::kNoNaN)) {
    // Minimum and maximum preferred the number.
    const Value unordered = b.binary(Op::funordered, x[0], x[1]);
    result = b.select(unordered, like(b, x[0], std::numeric_limits<double>::quiet_NaN()), result);
  }
  return copy_sign(b, result, x[0]);
}

Value glsl_sinh(Builder& b, const Value* x) {
  const Value rising = exp_of(b, x[0]);
  const Value falling = exp_of(b, b.fneg(x[0]));
  return b.fmul(b.fsub(rising, falling), like(b, x[0], 0.5));
}

Value glsl_cosh(Builder& b, const Value* x) {
  const Value rising = exp_of(b, x[0]);
  const Value falling = exp_of(b, b.fneg(x[0]));
  return b.fmul(b.fadd(rising, falling), like(b, x[0], 0.5));
}

/// (e^2x - 1) / (e^2x + 1). Beyond 10 the result is 1 in single precision; the exponential would overflow later on.
Value glsl_tanh(Builder& b, const Value* x) {
  // From there on the result rounds to one; e to twice the bound must not overflow.
  const double bound = b.function().type(x[0]) == ir::kF16 ? 5.0 : 10.0;
  const Value at_most = b.binary(Op::fmin, x[0], like(b, x[0], bound));
  const Value bounded = b.binary(Op::fmax, at_most, like(b, x[0], -bound));
  const Value power = exp_of(b, b.fmul(bounded, like(b, x[0], 2.0)));
  const Value numerator = b.fsub(power, like(b, x[0], 1.0));
  const Value denominator = b.fadd(power, like(b, x[0], 1.0));
  const ir::Type type = b.function().type(x[0]);
  Value result = b.fdiv(numerator, denominator);
  if (!b.may(type, ir::kNoInf)) {
    const Value magnitude = b.fabs(x[0]);
    const Value is_infinite = b.binary(Op::foeq, magnitude, like(b, x[0], HUGE_VAL));
    const Value one = copy_sign(b, like(b, x[0], 1.0), x[0]);
    result = b.select(is_infinite, one, result);
  }
  if (b.may(type, ir::kNoNaN)) return result;
  // Minimum and maximum preferred the bounds.
  const Value unordered = b.binary(Op::funordered, x[0], x[0]);
  return b.select(unordered, x[0], result);
}

/// log(|x| + sqrt(x^2 + 1)) with the sign of x, which loses nothing for negative x.
Value glsl_asinh(Builder& b, const Value* x) {
  const Value square = b.ffma(x[0], x[0], like(b, x[0], 1.0));
  const Value root = b.unary(Op::fsqrt, square);
  const Value sum = b.fadd(b.fabs(x[0]), root);
  return copy_sign(b, log_of(b, sum), x[0]);
}

Value glsl_acosh(Builder& b, const Value* x) {
  const Value square = b.ffma(x[0], x[0], like(b, x[0], -1.0));
  const Value root = b.unary(Op::fsqrt, square);
  return log_of(b, b.fadd(x[0], root));
}

Value glsl_atanh(Builder& b, const Value* x) {
  const Value above = b.fadd(like(b, x[0], 1.0), x[0]);
  const Value below = b.fsub(like(b, x[0], 1.0), x[0]);
  return b.fmul(log_of(b, b.fdiv(above, below)), like(b, x[0], 0.5));
}

}  // namespace spalt::spirv
