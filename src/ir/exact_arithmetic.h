// SPDX-License-Identifier: MIT
// Arithmetic on f32 or f16 operands that are held in double, for results that are cut to f32 or f16 afterwards.
// Rounding an exact result to double first and cutting it then goes wrong where the double lands on a number of f32
// that the exact result did not reach. So the double is rounded to odd: of the two around an inexact result, the one
// whose last bit is set. It has more bits than f32 and is none of its numbers, hence cutting it gives what cutting the
// exact result gives.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/half.h"

namespace spalt::ir {

/// `nearest` rounded to odd, where the exact result is `nearest` plus something of the sign of `error`.
inline double round_to_odd(double nearest, double error) {
  if (!std::isfinite(nearest) || error == 0 || (std::bit_cast<uint64_t>(nearest) & 1) != 0) return nearest;
  const double infinity = std::numeric_limits<double>::infinity();
  return std::nextafter(nearest, error > 0 ? infinity : -infinity);
}

/// The error of a sum is a double itself (Knuth's TwoSum).
inline double odd_sum(double a, double b) {
  const double sum = a + b, from_b = sum - a;
  return round_to_odd(sum, (a - (sum - from_b)) + (b - from_b));
}
inline double odd_quotient(double a, double b) {
  const double quotient = a / b, rest = std::fma(-quotient, b, a);
  return round_to_odd(quotient, std::signbit(b) ? -rest : rest);
}
inline double odd_root(double x) {
  const double root = std::sqrt(x);
  return round_to_odd(root, std::fma(-root, root, x));
}

/// The nearest f32 that is not further from zero.
inline float cut_to_single(double value) {
  const float nearest = static_cast<float>(value);
  const bool too_far = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return too_far ? std::nextafter(nearest, 0.0f) : nearest;
}

/// The nearest f16 that is not further from zero. The pattern below that of infinity is the largest number.
inline uint16_t cut_to_half(double value) {
  const uint16_t nearest = double_to_half(value);
  const bool too_far = std::fabs(half_to_double(nearest)) > std::fabs(value);
  return too_far ? static_cast<uint16_t>(nearest - 1) : nearest;
}

}  // namespace spalt::ir
