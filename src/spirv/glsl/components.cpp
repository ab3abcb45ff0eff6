// SPDX-License-Identifier: MIT
// GLSL.std.450 instructions that work component by component.
#include <spirv/unified1/GLSL.std.450.h>

#include <array>
#include <numbers>

#include "spirv/glsl/glsl.h"

namespace spalt::spirv {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

template <Op kOp>
Value unary(Builder& b, const Value* x) {
  return b.unary(kOp, x[0]);
}
template <Op kOp>
Value binary(Builder& b, const Value* x) {
  return b.binary(kOp, x[0], x[1]);
}

/// Zeros stay as they are. A NaN does, too, unless somebody may look: then it counts as zero.
Value float_sign(Builder& b, const Value* x) {
  const Value zero = like(b, x[0], 0.0);
  const Value negative = b.binary(Op::folt, x[0], zero);
  const Value positive = b.binary(Op::folt, zero, x[0]);
  Value otherwise = x[0];
  if (!b.may(b.function().type(x[0]), ir::kNoNaN)) {
    const Value unordered = b.binary(Op::funordered, x[0], x[0]);
    otherwise = b.select(unordered, zero, x[0]);
  }
  const Value not_positive = b.select(negative, like(b, x[0], -1.0), otherwise);
  return b.select(positive, like(b, x[0], 1.0), not_positive);
}

Value int_abs(Builder& b, const Value* x) {
  const Value negated = b.isub(b.integer(b.function().type(x[0]), 0), x[0]);
  return b.binary(Op::smax, x[0], negated);
}

Value int_sign(Builder& b, const Value* x) {
  const ir::Type type = b.function().type(x[0]);
  const Value at_most_one = b.binary(Op::smin, x[0], b.integer(type, 1));
  return b.binary(Op::smax, at_most_one, b.integer(type, ~uint64_t{0}));
}

template <Op kMin, Op kMax>
Value clamp(Builder& b, const Value* x) {
  const Value at_least = b.binary(kMax, x[0], x[1]);
  return b.binary(kMin, at_least, x[2]);
}

Value radians(Builder& b, const Value* x) {
  return b.fmul(x[0], like(b, x[0], std::numbers::pi_v<float> / 180.0f));
}
Value degrees(Builder& b, const Value* x) {
  return b.fmul(x[0], like(b, x[0], 180.0f / std::numbers::pi_v<float>));
}

/// x + (y - x) * a: an instruction less than x * (1 - a) + y * a. Vulkan's precision allows either.
/// Where there may be infinities, x + (y - x) * a is none of the definition's: an infinite x would give NaN.
Value mix(Builder& b, const Value* x) {
  if (!b.may(b.function().type(x[0]), ir::kNoInf)) return glsl_weighted_mix(b, x);
  const Value difference = b.fsub(x[1], x[0]);
  const Value part = b.fmul(difference, x[2]);
  return b.fadd(x[0], part);
}

Value step(Builder& b, const Value* x) {
  const Value below = b.binary(Op::folt, x[1], x[0]);
  return b.select(below, like(b, x[0], 0.0), like(b, x[0], 1.0));
}

Value smooth_step(Builder& b, const Value* x) {
  const Value distance = b.fsub(x[2], x[0]);
  const Value width = b.fsub(x[1], x[0]);
  const Value ratio = b.fdiv(distance, width);
  const Value at_least = b.binary(Op::fmax, ratio, like(b, x[0], 0.0));
  const Value t = b.binary(Op::fmin, at_least, like(b, x[0], 1.0));
  const Value twice = b.fmul(like(b, x[0], 2.0), t);
  const Value slope = b.fsub(like(b, x[0], 3.0), twice);
  const Value square = b.fmul(t, t);
  return b.fmul(square, slope);
}

Value fma(Builder& b, const Value* x) {
  return b.ffma(x[0], x[1], x[2]);
}

constexpr uint32_t kRows = 96;
constexpr GlslRow floats(uint8_t arity, GlslFunction function) {
  return {arity, kAnyFloat, function};
}
constexpr GlslRow short_floats(uint8_t arity, GlslFunction function) {
  return {arity, kShortFloat, function};
}
constexpr GlslRow ints(uint8_t arity, GlslFunction function) {
  return {arity, kAnyInteger, function};
}

constexpr void add_simple(std::array<GlslRow, kRows>& rows) {
  rows[GLSLstd450Round] = floats(1, unary<Op::fround_even>);
  rows[GLSLstd450RoundEven] = floats(1, unary<Op::fround_even>);
  rows[GLSLstd450Trunc] = floats(1, unary<Op::ftrunc>);
  rows[GLSLstd450FAbs] = floats(1, unary<Op::fabs>);
  rows[GLSLstd450SAbs] = ints(1, int_abs);
  rows[GLSLstd450FSign] = floats(1, float_sign);
  rows[GLSLstd450SSign] = ints(1, int_sign);
  rows[GLSLstd450Floor] = floats(1, unary<Op::ffloor>);
  rows[GLSLstd450Ceil] = floats(1, unary<Op::fceil>);
  rows[GLSLstd450Fract] = floats(1, unary<Op::ffract>);
  rows[GLSLstd450Radians] = short_floats(1, radians);
  rows[GLSLstd450Degrees] = short_floats(1, degrees);
  rows[GLSLstd450Sqrt] = floats(1, unary<Op::fsqrt>);
  rows[GLSLstd450InverseSqrt] = floats(1, unary<Op::frsq>);
  rows[GLSLstd450Fma] = floats(3, fma);
  rows[GLSLstd450FMix] = floats(3, mix);
  rows[GLSLstd450Step] = floats(2, step);
  rows[GLSLstd450SmoothStep] = floats(3, smooth_step);
  rows[GLSLstd450FindILsb] = ints(1, unary<Op::find_lsb>);
  rows[GLSLstd450FindSMsb] = ints(1, unary<Op::find_msb_s>);
  rows[GLSLstd450FindUMsb] = ints(1, unary<Op::find_msb_u>);
}

constexpr void add_min_max(std::array<GlslRow, kRows>& rows) {
  rows[GLSLstd450FMin] = floats(2, binary<Op::fmin>);
  rows[GLSLstd450UMin] = ints(2, binary<Op::umin>);
  rows[GLSLstd450SMin] = ints(2, binary<Op::smin>);
  rows[GLSLstd450FMax] = floats(2, binary<Op::fmax>);
  rows[GLSLstd450UMax] = ints(2, binary<Op::umax>);
  rows[GLSLstd450SMax] = ints(2, binary<Op::smax>);
  rows[GLSLstd450FClamp] = floats(3, clamp<Op::fmin, Op::fmax>);
  rows[GLSLstd450UClamp] = ints(3, clamp<Op::umin, Op::umax>);
  rows[GLSLstd450SClamp] = ints(3, clamp<Op::smin, Op::smax>);
  rows[GLSLstd450NMin] = floats(2, binary<Op::fmin>);
  rows[GLSLstd450NMax] = floats(2, binary<Op::fmax>);
  rows[GLSLstd450NClamp] = floats(3, clamp<Op::fmin, Op::fmax>);
}

constexpr void add_transcendental(std::array<GlslRow, kRows>& rows) {
  rows[GLSLstd450Sin] = short_floats(1, unary<Op::fsin>);
  rows[GLSLstd450Cos] = short_floats(1, unary<Op::fcos>);
  rows[GLSLstd450Tan] = short_floats(1, glsl_tan);
  rows[GLSLstd450Asin] = short_floats(1, glsl_asin);
  rows[GLSLstd450Acos] = short_floats(1, glsl_acos);
  rows[GLSLstd450Atan] = short_floats(1, glsl_atan);
  rows[GLSLstd450Sinh] = short_floats(1, glsl_sinh);
  rows[GLSLstd450Cosh] = short_floats(1, glsl_cosh);
  rows[GLSLstd450Tanh] = short_floats(1, glsl_tanh);
  rows[GLSLstd450Asinh] = short_floats(1, glsl_asinh);
  rows[GLSLstd450Acosh] = short_floats(1, glsl_acosh);
  rows[GLSLstd450Atanh] = short_floats(1, glsl_atanh);
  rows[GLSLstd450Atan2] = short_floats(2, glsl_atan2);
  rows[GLSLstd450Pow] = short_floats(2, glsl_pow);
  rows[GLSLstd450Exp] = short_floats(1, glsl_exp);
  rows[GLSLstd450Log] = short_floats(1, glsl_log);
  rows[GLSLstd450Exp2] = short_floats(1, unary<Op::fexp2>);
  rows[GLSLstd450Log2] = short_floats(1, unary<Op::flog2>);
}

constexpr std::array<GlslRow, kRows> make_rows() {
  std::array<GlslRow, kRows> rows{};
  add_simple(rows);
  add_min_max(rows);
  add_transcendental(rows);
  return rows;
}
constexpr std::array<GlslRow, kRows> kTable = make_rows();

}  // namespace

Value glsl_weighted_mix(Builder& b, const Value* x) {
  const Value rest = b.fsub(like(b, x[0], 1.0), x[2]);
  const Value first = b.fmul(x[0], rest);
  const Value second = b.fmul(x[1], x[2]);
  return b.fadd(first, second);
}

GlslRow find_glsl_row(uint32_t instruction) {
  return instruction < kRows ? kTable[instruction] : GlslRow{};
}

}  // namespace spalt::spirv
