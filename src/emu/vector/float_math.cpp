// SPDX-License-Identifier: MIT
#include "emu/vector/float_math.h"

#include "base/half.h"

namespace spalt::emu {

float half_to_float(uint32_t half) {
  return spalt::half_to_float(half);
}

namespace {

/// Whether the magnitude is to be increased by one unit.
bool rounds_up(unsigned rounding, bool negative, bool odd, double rest, double half_unit) {
  switch (rounding) {
    case 0:
      return rest > half_unit || (rest == half_unit && odd);
    case 1:
      return !negative && rest > 0;
    case 2:
      return negative && rest > 0;
    default:
      return false;
  }
}

}  // namespace

uint32_t float_to_half(double value, unsigned rounding) {
  const bool negative = std::signbit(value);
  const uint32_t sign = negative ? 0x8000u : 0;
  if (std::isnan(value)) return sign | kQuietNan16 | static_cast<uint32_t>(as_bits(value) >> 42 & 0x3ffu);
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return sign | 0x7c00u;
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [0.5, 1)
  // Units of the last place: normals have 11 significant bits, denormals a fixed unit of 2^-24.
  const int unit_exponent = std::max(exponent - 11, -24);
  const double scaled = std::ldexp(magnitude, -unit_exponent);
  const double floor = std::floor(scaled);
  auto integer = static_cast<uint32_t>(floor);
  if (rounds_up(rounding, negative, (integer & 1) != 0, scaled - floor, 0.5)) ++integer;
  // `integer` is below 2^11, or is 2^11 after rounding up; the addition carries into the exponent by itself.
  const uint32_t bits =
      unit_exponent == -24 && integer < 0x800u ? integer : (static_cast<uint32_t>(unit_exponent + 24) << 10) + integer;
  if (bits >= 0x7c00u) {
    const bool to_infinity = rounding == 0 || (rounding == 1 && !negative) || (rounding == 2 && negative);
    return sign | (to_infinity ? 0x7c00u : 0x7bffu);
  }
  return sign | bits;
}

}  // namespace spalt::emu
