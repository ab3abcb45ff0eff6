// SPDX-License-Identifier: MIT
#include "amdgpu/lower/divide.h"

#include <bit>

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

Value part_of(Inserter& insert, Value x, Value quotient, uint32_t divisor, DivisionPart part) {
  if (part == DivisionPart::quotient) return quotient;
  const Value product = insert.i(Op::imul, {quotient, insert.constant(divisor)});
  return insert.i(Op::isub, {x, product});
}

/// Quotient or remainder of x / y.
///
/// z approximates 2^32 / y from below: the scale is 2^32 - 512, so that neither the error of the reciprocal (1 ulp) nor
/// the roundings around it can push z above the true value. One Newton step on integers, z += umulhi(z, -y * z), leaves
/// an error below 2 in the estimated quotient, which two conditional corrections remove.
Value divide_magnitudes(Inserter& insert, Value x, Value y, DivisionPart part) {
  const Value y_float = insert.op(Op::u_to_f, ir::kF32, {y});
  const Value reciprocal = insert.f(Op::frcp, {y_float});
  const Value scale = insert.function().constant(ir::kF32, 0x4f7ffffe);
  const Value scaled = insert.f(Op::fmul, {reciprocal, scale});
  const Value estimate = insert.op(Op::f_to_u, ir::kI32, {scaled});
  const Value minus_y = insert.i(Op::isub, {insert.constant(0), y});
  const Value error = insert.i(Op::imul, {minus_y, estimate});
  const Value correction = insert.i(Op::umul_hi, {estimate, error});
  const Value z = insert.i(Op::iadd, {estimate, correction});

  Value quotient = insert.i(Op::umul_hi, {x, z});
  const Value product = insert.i(Op::imul, {quotient, y});
  Value remainder = insert.i(Op::isub, {x, product});
  for (int step = 0; step < 2; ++step) {
    const Value reduced = insert.i(Op::isub, {remainder, y});
    if (part == DivisionPart::quotient) {
      const Value too_small = insert.compare(Op::ule, y, remainder);
      const Value next = insert.i(Op::iadd, {quotient, insert.constant(1)});
      quotient = insert.i(Op::select, {too_small, next, quotient});
      if (step == 1) return quotient;
    }
    // Where the remainder is smaller than y already, the difference wraps around and is larger.
    remainder = insert.i(Op::umin, {remainder, reduced});
  }
  return remainder;
}

/// Multiplier and shift for unsigned division: Granlund and Montgomery, "Division by invariant integers using
/// multiplication", 1994. With l = ceil(log2 d), m' = floor(2^32 (2^l - d) / d) + 1 gives
/// q = (t + ((x - t) >> 1)) >> (l - 1) where t = umulhi(m', x). When a multiplier of 32 bits is exact, the middle steps
/// fall away.
struct UnsignedMagic {
  uint32_t multiplier = 0;
  unsigned shift = 0;
  bool add = false;  ///< the multiplier has a 33rd bit
};

UnsignedMagic unsigned_magic(uint32_t d) {
  const unsigned log = 32 - static_cast<unsigned>(std::countl_zero(d - 1));
  // Smallest shift s with a multiplier m = ceil(2^(32 + s) / d) whose error m * d - 2^(32 + s) is at most 2^s.
  for (unsigned s = 0; s <= log && s < 32; ++s) {
    const uint64_t power = uint64_t{1} << (32 + s);
    const uint64_t m = (power + d - 1) / d;
    if (m * d - power <= uint64_t{1} << s && m >> 32 == 0) {
      return {static_cast<uint32_t>(m), s, false};
    }
  }
  const uint64_t excess = (uint64_t{1} << log) - d;  // below 2^31
  return {static_cast<uint32_t>((excess << 32) / d + 1), log, true};
}

/// Signed multiplier: the smallest s with m = ceil(2^(32 + s) / |d|) accurate for 31-bit magnitudes (same source).
struct SignedMagic {
  int32_t multiplier = 0;
  unsigned shift = 0;
};

SignedMagic signed_magic(uint32_t d) {
  for (unsigned s = 0; s < 31; ++s) {
    const uint64_t power = uint64_t{1} << (32 + s);
    const uint64_t m = power / d + 1;
    if (m * d - power <= uint64_t{1} << (s + 1)) return {static_cast<int32_t>(m), s};
  }
  return {};
}

}  // namespace

Value divide_unsigned(Inserter& insert, Value x, Value y, DivisionPart part) {
  return divide_magnitudes(insert, x, y, part);
}

Value divide_signed(Inserter& insert, Value x, Value y, DivisionPart part) {
  const Value bits = insert.constant(31);
  const Value x_sign = insert.i(Op::sshr, {x, bits});
  const Value y_sign = insert.i(Op::sshr, {y, bits});
  const Value x_moved = insert.i(Op::iadd, {x, x_sign});
  const Value y_moved = insert.i(Op::iadd, {y, y_sign});
  const Value x_magnitude = insert.i(Op::ixor, {x_moved, x_sign});
  const Value y_magnitude = insert.i(Op::ixor, {y_moved, y_sign});
  const Value magnitude = divide_magnitudes(insert, x_magnitude, y_magnitude, part);
  const Value sign = part == DivisionPart::quotient ? insert.i(Op::ixor, {x_sign, y_sign}) : x_sign;
  const Value flipped = insert.i(Op::ixor, {magnitude, sign});
  return insert.i(Op::isub, {flipped, sign});
}

Value divide_unsigned_by(Inserter& insert, Value x, uint32_t divisor, DivisionPart part) {
  if (std::has_single_bit(divisor)) {
    if (part == DivisionPart::remainder) return insert.i(Op::iand, {x, insert.constant(divisor - 1)});
    if (divisor == 1) return x;
    return insert.i(Op::ushr, {x, insert.constant(static_cast<uint32_t>(std::countr_zero(divisor)))});
  }
  const UnsignedMagic magic = unsigned_magic(divisor);
  const Value high = insert.i(Op::umul_hi, {x, insert.constant(magic.multiplier)});
  Value quotient = high;
  if (magic.add) {
    const Value rest = insert.i(Op::isub, {x, high});
    const Value half = insert.i(Op::ushr, {rest, insert.constant(1)});
    const Value sum = insert.i(Op::iadd, {half, high});
    quotient = insert.i(Op::ushr, {sum, insert.constant(magic.shift - 1)});
  } else if (magic.shift != 0) {
    quotient = insert.i(Op::ushr, {high, insert.constant(magic.shift)});
  }
  return part_of(insert, x, quotient, divisor, part);
}

Value divide_signed_by(Inserter& insert, Value x, int32_t divisor, DivisionPart part) {
  const uint32_t magnitude = divisor < 0 ? 0u - static_cast<uint32_t>(divisor) : static_cast<uint32_t>(divisor);
  if (magnitude == 1) {
    if (part == DivisionPart::remainder) return insert.constant(0);
    return divisor == 1 ? x : insert.i(Op::isub, {insert.constant(0), x});
  }
  const Value sign = insert.i(Op::sshr, {x, insert.constant(31)});
  Value quotient;
  if (std::has_single_bit(magnitude)) {
    const unsigned shift = static_cast<unsigned>(std::countr_zero(magnitude));
    // Negative numbers round toward zero when magnitude - 1 is added first.
    const Value bias = insert.i(Op::ushr, {sign, insert.constant(32 - shift)});
    const Value biased = insert.i(Op::iadd, {x, bias});
    if (part == DivisionPart::remainder) {
      const Value multiple = insert.i(Op::iand, {biased, insert.constant(0u - magnitude)});
      return insert.i(Op::isub, {x, multiple});
    }
    quotient = insert.i(Op::sshr, {biased, insert.constant(shift)});
  } else {
    const SignedMagic magic = signed_magic(magnitude);
    Value high = insert.i(Op::smul_hi, {x, insert.constant(static_cast<uint32_t>(magic.multiplier))});
    // A multiplier of 2^31 and more was read as negative: 2^32 too small.
    if (magic.multiplier < 0) high = insert.i(Op::iadd, {high, x});
    if (magic.shift != 0) high = insert.i(Op::sshr, {high, insert.constant(magic.shift)});
    quotient = insert.i(Op::isub, {high, sign});
  }
  if (part == DivisionPart::remainder) return part_of(insert, x, quotient, magnitude, part);
  return divisor < 0 ? insert.i(Op::isub, {insert.constant(0), quotient}) : quotient;
}

}  // namespace spalt::lower
