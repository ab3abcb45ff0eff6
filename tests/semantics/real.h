// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::semantics {

__extension__ using U128 = unsigned __int128;
__extension__ using I128 = __int128;

/// IEEE 754 binary interchange format.
struct FloatFormat {
  int mantissa_bits;  ///< stored ones
  int exponent_bits;
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int width() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr uint64_t sign_bit() const { return uint64_t{1} << (width() - 1); }
  constexpr uint64_t mantissa_mask() const { return (uint64_t{1} << mantissa_bits) - 1; }
  constexpr uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits; }
  constexpr uint64_t quiet_bit() const { return uint64_t{1} << (mantissa_bits - 1); }
  constexpr uint64_t one() const { return static_cast<uint64_t>(bias()) << mantissa_bits; }
  constexpr uint64_t magnitude(uint64_t bits) const { return bits & (sign_bit() - 1); }
  constexpr bool is_nan(uint64_t bits) const { return magnitude(bits) > infinity(); }
  constexpr bool is_signaling(uint64_t bits) const { return is_nan(bits) && (bits & quiet_bit()) == 0; }
  constexpr bool is_denormal(uint64_t bits) const { return magnitude(bits) <= mantissa_mask() && magnitude(bits) != 0; }
};
constexpr FloatFormat kF16{10, 5}, kF32{23, 8}, kF64{52, 11};

/// Values of the FP_ROUND fields of the MODE register.
enum class Rounding : uint8_t { nearest_even, up, down, toward_zero };

/// An exact number, or one known to lie strictly between two multiples of its unit: everything that one rounding needs.
/// The arithmetic is that of integers, so no property of the host's floating point enters.
struct Real {
  enum class Kind : uint8_t { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  U128 mantissa = 0;    ///< 0 is zero, below 2^126
  int exponent = 0;     ///< of the unit of the mantissa
  bool sticky = false;  ///< the magnitude is larger by less than one unit

  bool is_nan() const { return kind == Kind::nan; }
  bool is_infinite() const { return kind == Kind::infinite; }
  bool is_zero() const { return kind == Kind::finite && mantissa == 0 && !sticky; }
};

Real make_nan();
Real make_infinity(bool negative);
Real make_zero(bool negative);
Real from_integer(I128 value);
/// mantissa * 2^exponent.
Real make_real(bool negative, U128 mantissa, int exponent);
Real from_bits(uint64_t bits, const FloatFormat& format);
/// Rounds once; an overflow gives infinity or the largest number by the rounding. A NaN is the positive quiet one.
uint64_t to_bits(const Real& value, const FloatFormat& format, Rounding rounding);

Real negate(Real value);
Real absolute(Real value);
/// The rounding decides the sign of an exact zero.
Real add(const Real& a, const Real& b, Rounding rounding);
Real multiply(const Real& a, const Real& b);
Real divide(const Real& a, const Real& b);
Real square_root(const Real& a);
/// a * 2^power.
Real scale(Real a, int power);
/// Position of the leading bit: a is in [2^n, 2^(n+1)). Zero and others have none.
int floor_log2(const Real& a);

enum class Order : uint8_t { less, equal, greater, unordered };
Order compare(const Real& a, const Real& b);

/// The integer that a finite number rounds to, as a number; a zero keeps the sign of the argument.
Real round_to_integer(const Real& a, Rounding rounding);
/// Clamped to [low, high]; NaN gives 0. The argument is an integer (round_to_integer).
I128 to_integer(const Real& a, I128 low, I128 high);

}  // namespace spalt::semantics
