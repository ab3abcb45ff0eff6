// SPDX-License-Identifier: MIT
#include "real.h"

#include <algorithm>

namespace spalt::semantics {
namespace {

constexpr int kTopBit = 125;  ///< where the leading bit of an aligned mantissa stands: two below the top for carries

int leading_bit(U128 value) {
  int bit = -1;
  for (; value != 0; value >>= 1) ++bit;
  return bit;
}

/// Moves the leading bit to kTopBit.
void normalize(Real& value) {
  const int shift = kTopBit - leading_bit(value.mantissa);
  value.mantissa <<= shift;
  value.exponent -= shift;
}

/// Gives up the lowest bits into the sticky bit.
void shift_right(Real& value, int amount) {
  if (amount <= 0) return;
  if (amount > kTopBit + 1) {
    value.sticky = value.sticky || value.mantissa != 0;
    value.mantissa = 0;
  } else {
    value.sticky = value.sticky || (value.mantissa & ((U128{1} << amount) - 1)) != 0;
    value.mantissa >>= amount;
  }
  value.exponent += amount;
}

/// Whether the magnitude kept + rest (in units of the last place kept) goes up to kept + 1.
bool rounds_away(bool negative, bool odd, bool half, bool beyond_half_or_below, Rounding rounding) {
  const bool inexact = half || beyond_half_or_below;
  switch (rounding) {
    case Rounding::nearest_even:
      return half && (beyond_half_or_below || odd);
    case Rounding::up:
      return inexact && !negative;
    case Rounding::down:
      return inexact && negative;
    case Rounding::toward_zero:
      break;
  }
  return false;
}

/// Drops `amount` low bits, rounding the magnitude.
U128 round_off(const Real& value, int amount, Rounding rounding) {
  Real kept = value;
  if (amount <= 0) return value.mantissa << -amount;
  shift_right(kept, amount - 1);
  const bool half = (kept.mantissa & 1) != 0;
  const U128 result = kept.mantissa >> 1;
  return result + (rounds_away(value.negative, (result & 1) != 0, half, kept.sticky, rounding) ? 1 : 0);
}

}  // namespace

Real make_nan() {
  Real result;
  result.kind = Real::Kind::nan;
  return result;
}
Real make_infinity(bool negative) {
  Real result;
  result.kind = Real::Kind::infinite;
  result.negative = negative;
  return result;
}
Real make_zero(bool negative) {
  Real result;
  result.negative = negative;
  return result;
}
Real make_real(bool negative, U128 mantissa, int exponent) {
  Real result;
  result.negative = negative;
  result.mantissa = mantissa;
  result.exponent = exponent;
  return result;
}
Real from_integer(I128 value) {
  return make_real(value < 0, static_cast<U128>(value < 0 ? -value : value), 0);
}

Real from_bits(uint64_t bits, const FloatFormat& format) {
  const bool negative = (bits & format.sign_bit()) != 0;
  const uint64_t magnitude = format.magnitude(bits);
  if (magnitude > format.infinity()) return make_nan();
  if (magnitude == format.infinity()) return make_infinity(negative);
  const auto exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const uint64_t fraction = magnitude & format.mantissa_mask();
  const uint64_t hidden = exponent == 0 ? 0 : uint64_t{1} << format.mantissa_bits;
  return make_real(negative, hidden | fraction, std::max(exponent, 1) - format.bias() - format.mantissa_bits);
}

uint64_t to_bits(const Real& value, const FloatFormat& format, Rounding rounding) {
  const uint64_t sign = value.negative ? format.sign_bit() : 0;
  if (value.is_nan()) return format.infinity() | format.quiet_bit();
  if (value.is_infinite()) return sign | format.infinity();
  if (value.is_zero()) return sign;
  Real aligned = value;
  if (aligned.mantissa != 0) normalize(aligned);
  // The unit of the last place, not below that of denormals.
  const int smallest = 1 - format.bias() - format.mantissa_bits;
  const int unit =
      aligned.mantissa == 0 ? smallest : std::max(aligned.exponent + kTopBit - format.mantissa_bits, smallest);
  U128 mantissa = round_off(aligned, unit - aligned.exponent, rounding);
  int exponent = unit;
  if (mantissa >> (format.mantissa_bits + 1) != 0) {
    mantissa >>= 1;
    ++exponent;
  }
  const bool normal = mantissa >> format.mantissa_bits != 0;
  const int field = normal ? exponent + format.bias() + format.mantissa_bits : 0;
  if (field >= (1 << format.exponent_bits) - 1) {
    const bool to_infinity =
        rounding == Rounding::nearest_even || rounding == (value.negative ? Rounding::down : Rounding::up);
    return sign | (to_infinity ? format.infinity() : format.infinity() - 1);
  }
  return sign | static_cast<uint64_t>(field) << format.mantissa_bits |
         (static_cast<uint64_t>(mantissa) & format.mantissa_mask());
}

Real negate(Real value) {
  value.negative = !value.negative;
  return value;
}
Real absolute(Real value) {
  value.negative = false;
  return value;
}

Real add(const Real& a, const Real& b, Rounding rounding) {
  if (a.is_nan() || b.is_nan()) return make_nan();
  if (a.is_infinite() || b.is_infinite()) {
    if (a.is_infinite() && b.is_infinite() && a.negative != b.negative) return make_nan();
    return a.is_infinite() ? a : b;
  }
  const bool exact_zero_sign = rounding == Rounding::down;
  if (a.mantissa == 0 && b.mantissa == 0) return make_zero(a.negative == b.negative ? a.negative : exact_zero_sign);
  if (a.mantissa == 0) return b;
  if (b.mantissa == 0) return a;
  Real large = a, small = b;
  normalize(large);
  normalize(small);
  if (large.exponent < small.exponent || (large.exponent == small.exponent && large.mantissa < small.mantissa)) {
    std::swap(large, small);
  }
  shift_right(small, large.exponent - small.exponent);
  if (large.negative == small.negative) {
    large.mantissa += small.mantissa;
    large.sticky = large.sticky || small.sticky;
  } else {
    // A difference by a little more than small.mantissa lies strictly above large - small - 1.
    large.mantissa -= small.mantissa + (small.sticky ? 1 : 0);
    large.sticky = large.sticky || small.sticky;
    if (large.is_zero()) return make_zero(exact_zero_sign);
  }
  if (large.mantissa >> (kTopBit + 1) != 0) shift_right(large, 1);
  return large;
}

Real multiply(const Real& a, const Real& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return make_nan();
  if (a.is_infinite() || b.is_infinite()) return a.is_zero() || b.is_zero() ? make_nan() : make_infinity(negative);
  return make_real(negative, a.mantissa * b.mantissa, a.exponent + b.exponent);
}

Real divide(const Real& a, const Real& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return make_nan();
  if (a.is_infinite()) return b.is_infinite() ? make_nan() : make_infinity(negative);
  if (b.is_infinite()) return make_zero(negative);
  if (b.is_zero()) return a.is_zero() ? make_nan() : make_infinity(negative);
  if (a.is_zero()) return make_zero(negative);
  Real quotient = a;
  normalize(quotient);
  quotient.sticky = quotient.mantissa % b.mantissa != 0;
  quotient.mantissa /= b.mantissa;
  quotient.exponent -= b.exponent;
  quotient.negative = negative;
  return quotient;
}

Real square_root(const Real& a) {
  if (a.is_nan() || a.is_zero()) return a;
  if (a.negative) return make_nan();
  if (a.is_infinite()) return a;
  Real radicand = a;
  normalize(radicand);
  if (radicand.exponent % 2 != 0) {
    radicand.mantissa >>= 1;  // at most 53 bits are significant
    ++radicand.exponent;
  }
  U128 root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const U128 next = root | U128{1} << bit;
    if (next * next <= radicand.mantissa) root = next;
  }
  Real result = make_real(false, root, radicand.exponent / 2);
  result.sticky = root * root != radicand.mantissa;
  return result;
}

Real scale(Real a, int power) {
  a.exponent += power;
  return a;
}

int floor_log2(const Real& a) {
  return leading_bit(a.mantissa) + a.exponent;
}

Order compare(const Real& a, const Real& b) {
  if (a.is_nan() || b.is_nan()) return Order::unordered;
  const auto signum = [](const Real& x) { return x.is_zero() ? 0 : x.negative ? -1 : 1; };
  if (signum(a) != signum(b)) return signum(a) < signum(b) ? Order::less : Order::greater;
  if (signum(a) == 0) return Order::equal;
  if (a.is_infinite() || b.is_infinite()) {
    if (a.is_infinite() && b.is_infinite()) return Order::equal;
    return a.is_infinite() != a.negative ? Order::greater : Order::less;
  }
  const Real difference = add(a, negate(b), Rounding::nearest_even);
  if (difference.is_zero()) return Order::equal;
  return difference.negative ? Order::less : Order::greater;
}

Real round_to_integer(const Real& a, Rounding rounding) {
  if (a.kind != Real::Kind::finite || a.exponent >= 0) return a;
  return make_real(a.negative, round_off(a, -a.exponent, rounding), 0);
}

I128 to_integer(const Real& a, I128 low, I128 high) {
  if (a.is_nan()) return 0;
  if (a.is_infinite() || (a.mantissa != 0 && floor_log2(a) > 100)) return a.negative ? low : high;
  const auto magnitude = static_cast<I128>(a.exponent >= 0 ? a.mantissa << a.exponent : a.mantissa >> -a.exponent);
  return std::clamp(a.negative ? -magnitude : magnitude, low, high);
}

}  // namespace spalt::semantics
