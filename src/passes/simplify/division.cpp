// SPDX-License-Identifier: MIT
// Division by constants, as in Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI
// 1994, and Warren, "Hacker's Delight", chapter 10. GPUs have no integer division, so this always pays.
#include <bit>

#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

struct Magic {
  uint32_t multiplier;
  unsigned shift;
  bool add;  ///< the true multiplier has 33 bits: multiplier + 2^32
};

/// floor(x / d) = (x * m) >> (32 + shift) for every x up to `max`; d is no power of two. With m * d = 2^(32 + shift) +
/// error the product is too large by x * error / d / 2^(32 + shift), which must stay below 1 / d.
Magic unsigned_magic(uint32_t d, uint64_t max) {
  const unsigned log = 32 - static_cast<unsigned>(std::countl_zero(d - 1));  // ceil(log2 d)
  // m = floor(2^32 * (2^log - d) / d) + 1 + 2^32 works always; a smaller shift may save the 33rd bit.
  for (unsigned shift = 0; shift < log; ++shift) {
    const uint64_t power = uint64_t{1} << (32 + shift);
    const uint64_t multiplier = power / d + 1;
    const uint64_t error = multiplier * d - power;  // in (0, d]
    if (multiplier >> 32 == 0 && error * max < power) return {static_cast<uint32_t>(multiplier), shift, false};
  }
  const uint64_t excess = ((uint64_t{1} << log) - d) << 32;
  return {static_cast<uint32_t>(excess / d + 1), log, true};
}

/// floor(x / d) = ((x + 1) * m) >> (32 + shift) with m = floor(2^(32 + shift) / d), where m rounded up has 33 bits and
/// x + 1 does not wrap (A. Robison, N-Bit Unsigned Division Via N-Bit Multiply-Add, 2005).
Value quotient_of_next(Simplifier& s, Value x, uint32_t d) {
  const Type type = s.type(x);
  const unsigned shift = 31 - static_cast<unsigned>(std::countl_zero(d));  // floor(log2 d)
  const uint64_t multiplier = (uint64_t{1} << (32 + shift)) / d;
  const Value next = s.emit(Op::iadd, type, {x, s.constant(type, 1)}, ir::kNoUnsignedWrap);
  const Value high = s.emit(Op::umul_hi, type, {next, s.constant(type, multiplier)});
  return s.emit(Op::ushr, type, {high, s.constant(type, shift)});
}

Value unsigned_quotient(Simplifier& s, Value x, uint32_t d) {
  const Type type = s.type(x);
  const uint64_t max = s.facts(x).max;
  const Magic magic = unsigned_magic(d, max);
  if (magic.add && d % 2 == 0) {  // shifted right, x has room for an odd divisor
    const auto zeros = static_cast<uint32_t>(std::countr_zero(d));
    return unsigned_quotient(s, s.emit(Op::ushr, type, {x, s.constant(type, zeros)}), d >> zeros);
  }
  if (magic.add && max < 0xffffffff) return quotient_of_next(s, x, d);
  const Value high = s.emit(Op::umul_hi, type, {x, s.constant(type, magic.multiplier)});
  if (!magic.add) return s.emit(Op::ushr, type, {high, s.constant(type, magic.shift)});
  // ((x - high) >> 1) + high is (x + high) >> 1 without overflow.
  const Value rest = s.emit(Op::isub, type, {x, high});
  const Value half = s.emit(Op::ushr, type, {rest, s.constant(type, 1)});
  const Value sum = s.emit(Op::iadd, type, {half, high});
  return s.emit(Op::ushr, type, {sum, s.constant(type, magic.shift - 1)});
}

struct SignedMagic {
  uint32_t multiplier;
  unsigned shift;
};

/// d in 2..2^31-1, no power of two: smallest shift with multiplier * d - 2^(32 + shift) <= 2^(shift + 1).
SignedMagic signed_magic(uint32_t d) {
  for (unsigned shift = 0;; ++shift) {
    const uint64_t power = uint64_t{1} << (32 + shift);
    const uint64_t multiplier = power / d + 1;
    if (multiplier * d - power <= uint64_t{1} << (shift + 1)) return {static_cast<uint32_t>(multiplier), shift};
  }
}

/// 1 for negative x, else 0.
Value sign_bit(Simplifier& s, Value x) {
  return s.emit(Op::ushr, s.type(x), {x, s.constant(s.type(x), s.type(x).scalar_bits() - 1)});
}

/// x / 2^log toward zero: negative numbers are biased up first.
Value signed_power_quotient(Simplifier& s, Value x, unsigned log) {
  const Type type = s.type(x);
  const unsigned width = type.scalar_bits();
  const Value sign = s.emit(Op::sshr, type, {x, s.constant(type, width - 1)});
  const Value bias = s.emit(Op::ushr, type, {sign, s.constant(type, width - log)});
  const Value sum = s.emit(Op::iadd, type, {x, bias});
  return s.emit(Op::sshr, type, {sum, s.constant(type, log)});
}

Value signed_quotient(Simplifier& s, Value x, uint32_t d) {
  const Type type = s.type(x);
  const SignedMagic magic = signed_magic(d);
  Value high = s.emit(Op::smul_hi, type, {x, s.constant(type, magic.multiplier)});
  // As a signed number the multiplier lost 2^32.
  if (magic.multiplier >> 31 != 0) high = s.emit(Op::iadd, type, {high, x});
  const Value shifted = s.emit(Op::sshr, type, {high, s.constant(type, magic.shift)});
  const Value sign = sign_bit(s, x);
  return s.emit(Op::iadd, type, {shifted, sign});
}

Value subtract_product(Simplifier& s, Value x, Value quotient, uint64_t divisor) {
  const Type type = s.type(x);
  const Value product = s.emit(Op::imul, type, {quotient, s.constant(type, divisor)});
  return s.emit(Op::isub, type, {x, product});
}

Value unsigned_rules(Simplifier& s, Value v, uint64_t d) {
  const Value x = s.operand(v, 0);
  const Type type = s.type(v);
  const bool quotient = s.op(v) == Op::udiv;
  if (s.facts(x).max < d) return quotient ? s.constant(type, 0) : x;
  if (std::has_single_bit(d)) {
    if (!quotient) return s.change(v, Op::iand, {x, s.constant(type, d - 1)});
    return s.change(v, Op::ushr, {x, s.constant(type, static_cast<uint64_t>(std::countr_zero(d)))});
  }
  if (type != ir::kI32) return Value();
  const Value result = unsigned_quotient(s, x, static_cast<uint32_t>(d));
  return quotient ? result : subtract_product(s, x, result, d);
}

/// d as a two's complement number; not 0.
Value signed_rules(Simplifier& s, Value v, uint64_t d) {
  const Value x = s.operand(v, 0);
  const Type type = s.type(v);
  const Op op = s.op(v);
  const uint64_t mask = type_mask(type), sign = uint64_t{1} << (type.scalar_bits() - 1);
  const uint64_t size = (d & sign) != 0 ? (0 - d) & mask : d;
  if ((d & sign) == 0 && s.non_negative(x)) {
    return s.change(v, op == Op::sdiv ? Op::udiv : Op::umod, {x, s.operand(v, 1)});
  }
  if (op == Op::smod && (d & sign) == 0 && std::has_single_bit(d)) {
    return s.change(v, Op::iand, {x, s.constant(type, d - 1)});
  }
  if (size == 1) {
    if (op != Op::sdiv) return s.constant(type, 0);
    return d == 1 ? x : s.change(v, Op::isub, {s.constant(type, 0), x});
  }
  if (size == sign) return Value();
  Value quotient;
  if (std::has_single_bit(size)) {
    quotient = signed_power_quotient(s, x, static_cast<unsigned>(std::countr_zero(size)));
  } else if (type == ir::kI32) {
    quotient = signed_quotient(s, x, static_cast<uint32_t>(size));
  } else {
    return Value();
  }
  if (op == Op::sdiv) {
    const bool negative = (d & sign) != 0;
    return negative ? s.emit(Op::isub, type, {s.constant(type, 0), quotient}) : quotient;
  }
  const Value remainder = subtract_product(s, x, quotient, size);  // the sign of the divisor does not matter
  if (op == Op::srem) return remainder;
  // smod: a remainder of the other sign moves by the divisor.
  const Value zero = s.constant(type, 0);
  const bool positive = (d & sign) == 0;
  const Value wrong =
      positive ? s.emit(Op::slt, ir::kBool, {remainder, zero}) : s.emit(Op::slt, ir::kBool, {zero, remainder});
  const Value moved = s.emit(Op::iadd, type, {remainder, s.constant(type, d)});
  return s.emit(Op::select, type, {wrong, moved, remainder});
}

}  // namespace

Value simplify_division(Simplifier& s, Value value) {
  const Value divisor = s.operand(value, 1);
  if (s.type(value).is_bool() || !s.is_constant(divisor) || s.is_constant(divisor, 0)) return Value();
  const bool is_unsigned = s.op(value) == Op::udiv || s.op(value) == Op::umod;
  return is_unsigned ? unsigned_rules(s, value, s.bits(divisor)) : signed_rules(s, value, s.bits(divisor));
}

}  // namespace spalt::passes
