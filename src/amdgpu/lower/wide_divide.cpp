// SPDX-License-Identifier: MIT
// Division of 64-bit integers, without branches.
//
// z approximates Z = 2^64 / y from below. Its first 22 bits come from a float reciprocal. A Newton step on integers,
// z += umulhi(z, -y * z), squares the relative error and drops less than 1: two of them make it 2^-78 and less than
// 1 + 1 / Z in all. The quotient floor(x * z / 2^64) is then too small by 2 at most, which two conditional corrections
// remove. For y above 2^63, where z may be 0, the quotient is 1 at most.
//
// The scale of the reciprocal is 2^64 (1 - 2^-20): the conversions, the sum and the reciprocal are off by 2^-23 each
// and may all err upward where the module rounds toward zero. A z above Z would make -y * z wrap around.
//
// For a constant y that is no power of two z = floor(2^64 / y) is exact, and one correction does. Operands that are
// words are divided as such, which is lowered after this (divide.h).
#include "amdgpu/lower/wide_parts.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kScale = 0x5f7ffff0;         // 2^64 (1 - 2^-20) as f32
constexpr uint32_t kTwoTo32 = 0x4f800000;       // 2^32
constexpr uint32_t kMinusTwoTo32 = 0xcf800000;  // -2^32
constexpr uint32_t kTwoToMinus32 = 0x2f800000;  // 2^-32

Value first_estimate(Inserter& insert, Value y) {
  const auto f32 = [&](uint32_t bits) { return insert.function().constant(ir::kF32, bits); };
  const Halves divisor = halves_of(insert, y);
  const Value low_float = insert.op(Op::u_to_f, ir::kF32, {divisor.low});
  const Value high_float = insert.op(Op::u_to_f, ir::kF32, {divisor.high});
  const Value y_float = insert.f(Op::ffma, {high_float, f32(kTwoTo32), low_float});
  const Value reciprocal = insert.f(Op::frcp, {y_float});
  const Value scaled = insert.f(Op::fmul, {reciprocal, f32(kScale)});
  const Value high_part = insert.f(Op::fmul, {scaled, f32(kTwoToMinus32)});
  const Value high_whole = insert.f(Op::ftrunc, {high_part});
  const Value low_part = insert.f(Op::ffma, {high_whole, f32(kMinusTwoTo32), scaled});
  const Value low = insert.op(Op::f_to_u, ir::kI32, {low_part});
  const Value high = insert.op(Op::f_to_u, ir::kI32, {high_whole});
  return join(insert, {low, high});
}

/// Quotient or remainder from a quotient that is too small by `steps` at most.
Value correct(Inserter& insert, Value x, Value y, Value quotient, int steps, DivisionPart part) {
  const Value product = wide_product(insert, quotient, y);
  Value remainder = wide(insert, Op::isub, {x, product});
  for (int step = 0; step < steps; ++step) {
    const Value too_small = insert.compare(Op::ule, y, remainder);
    if (part == DivisionPart::quotient) {
      const Value next = wide(insert, Op::iadd, {quotient, wide_constant(insert, 1)});
      quotient = wide(insert, Op::select, {too_small, next, quotient});
      if (step + 1 == steps) break;
    }
    const Value reduced = wide(insert, Op::isub, {remainder, y});
    remainder = wide(insert, Op::select, {too_small, reduced, remainder});
  }
  return part == DivisionPart::quotient ? quotient : remainder;
}

/// By a constant of more than 1 that is no power of two.
Value divide_by(Inserter& insert, Value x, Value y, uint64_t divisor, DivisionPart part) {
  const Value z = wide_constant(insert, ~uint64_t{0} / divisor);
  return correct(insert, x, y, wide_product_high(insert, x, z), 1, part);
}

/// Whether the upper word is known to be 0: a word that was extended, or a constant.
bool is_word(const ir::Function& function, Value value) {
  const ir::Inst& inst = function.inst(value);
  if (inst.op == Op::constant) return inst.imm >> 32 == 0;
  return inst.op == Op::pack64 && function.is_constant(function.operand(value, 1), 0);
}

Value divide_words(Inserter& insert, Value x, Value y, DivisionPart part) {
  const Op op = part == DivisionPart::quotient ? Op::udiv : Op::umod;
  const Value word = insert.i(op, {halves_of(insert, x).low, halves_of(insert, y).low});
  return join(insert, {word, insert.constant(0)});
}

}  // namespace

Value divide_wide_unsigned(Inserter& insert, Value x, Value y, DivisionPart part) {
  if (is_word(insert.function(), x) && is_word(insert.function(), y)) return divide_words(insert, x, y, part);
  const ir::Inst divisor = insert.function().inst(y);
  const bool known = divisor.op == Op::constant && divisor.imm != 0;
  // Others are powers of two: right as well, and `simplify` has made shifts of them.
  if (known && (divisor.imm & (divisor.imm - 1)) != 0) return divide_by(insert, x, y, divisor.imm, part);
  Value z = first_estimate(insert, y);
  const Value minus_y = wide(insert, Op::isub, {wide_constant(insert, 0), y});
  for (int step = 0; step < 2; ++step) {
    const Value error = wide_product(insert, minus_y, z);
    z = wide(insert, Op::iadd, {z, wide_product_high(insert, z, error)});
  }
  return correct(insert, x, y, wide_product_high(insert, x, z), 2, part);
}

Value divide_wide_signed(Inserter& insert, Value x, Value y, DivisionPart part) {
  const Value x_sign = wide_sign(insert, x), y_sign = wide_sign(insert, y);
  const Value x_magnitude = negate_where(insert, x, x_sign);
  const Value y_magnitude = negate_where(insert, y, y_sign);
  const Value magnitude = divide_wide_unsigned(insert, x_magnitude, y_magnitude, part);
  const Value sign = part == DivisionPart::quotient ? wide(insert, Op::ixor, {x_sign, y_sign}) : x_sign;
  return negate_where(insert, magnitude, sign);
}

Value wide_smod(Inserter& insert, Value x, Value y) {
  const Value zero = wide_constant(insert, 0);
  const Value remainder = divide_wide_signed(insert, x, y, DivisionPart::remainder);
  const Value mixed = wide(insert, Op::ixor, {remainder, y});
  const Value signs_differ = insert.compare(Op::slt, mixed, zero);
  const Value not_zero = insert.compare(Op::ine, remainder, zero);
  const Value fix = insert.op(Op::iand, ir::kBool, {signs_differ, not_zero});
  const Value moved = wide(insert, Op::iadd, {remainder, y});
  return wide(insert, Op::select, {fix, moved, remainder});
}

}  // namespace spalt::lower
