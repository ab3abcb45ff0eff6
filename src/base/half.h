// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace spalt {

inline constexpr uint16_t kHalfNaN = 0x7e00;
inline constexpr uint16_t kHalfInfinity = 0x7c00;

/// The float of the same value as the binary16 pattern in the low bits, in any rounding mode of the host. A NaN keeps
/// sign and payload. No branch depends on the value.
inline float half_to_float(uint32_t half) {
  constexpr uint32_t kRebias = 112u << 23;
  const uint32_t sign = (half & 0x8000u) << 16, magnitude = (half & 0x7fffu) << 13;
  const uint32_t special = magnitude >= 31u << 23 ? kRebias : 0;  // infinity and NaN have exponent 255
  const float denormal = static_cast<float>(static_cast<int32_t>(half & 0x3ffu)) * 0x1p-24f;
  const bool is_denormal = magnitude < 1u << 23;
  return std::bit_cast<float>(sign | (is_denormal ? std::bit_cast<uint32_t>(denormal) : magnitude + kRebias + special));
}

/// Drops the bits of a float that a binary16 has no room for: rounds toward zero. Infinity remains, and a NaN with as
/// much of its payload as fits.
inline uint32_t truncate_to_half(uint32_t float_bits) {
  const uint32_t sign = float_bits >> 16 & 0x8000u, magnitude = float_bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    const uint32_t payload = magnitude >> 13 & 0x3ffu;
    return sign | kHalfInfinity | (payload != 0 ? payload : 0x200u);
  }
  if (magnitude >= 0x47800000u) return sign | (magnitude == 0x7f800000u ? 0x7c00u : 0x7bffu);
  if (magnitude >= 0x38800000u) return sign | ((magnitude >> 13) - (112u << 10));
  // A denormal half counts units of 2^-24.
  const uint32_t exponent = magnitude >> 23, significand = (magnitude & 0x7fffffu) | 0x800000u;
  return exponent < 103 ? sign : sign | significand >> (126 - exponent);
}

/// The value of an IEEE 754 binary16 pattern, exactly. Every NaN becomes the quiet NaN.
inline double half_to_double(uint16_t bits) {
  const bool negative = (bits & 0x8000u) != 0;
  const unsigned exponent = (bits >> 10) & 0x1f;
  const unsigned fraction = bits & 0x3ff;
  double magnitude = 0;
  if (exponent == 0x1f) {
    if (fraction != 0) return std::bit_cast<double>(uint64_t{0x7ff8000000000000});
    magnitude = std::bit_cast<double>(uint64_t{0x7ff0000000000000});
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<double>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<double>(fraction | 0x400), static_cast<int>(exponent) - 25);
  }
  return negative ? -magnitude : magnitude;
}

/// The nearest binary16 (ties to even), denormals included. Works from the bits, so there is one rounding only.
inline uint16_t double_to_half(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 48) & 0x8000u);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  const uint64_t fraction = bits & 0xfffffffffffffu;
  if (exponent == 1024) return fraction != 0 ? kHalfNaN : static_cast<uint16_t>(sign | kHalfInfinity);
  if (exponent > 15) return static_cast<uint16_t>(sign | kHalfInfinity);
  if (exponent < -25) return sign;  // below half of the smallest denormal, double denormals included

  // Below 2^-14 the unit in the last place stays 2^-24, so more bits go.
  const unsigned dropped = exponent < -14 ? 42u + static_cast<unsigned>(-14 - exponent) : 42u;
  const uint64_t significand = fraction | (uint64_t{1} << 52);
  uint64_t kept = significand >> dropped;
  const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
  const uint64_t middle = uint64_t{1} << (dropped - 1);
  if (rest > middle || (rest == middle && (kept & 1) != 0)) ++kept;
  // `kept` holds the hidden bit of a normal number; adding lets a carry move into the exponent, up to infinity.
  const unsigned biased = exponent < -14 ? 0u : static_cast<unsigned>(exponent + 14) << 10;
  return static_cast<uint16_t>(sign | (biased + static_cast<unsigned>(kept)));
}

}  // namespace spalt
