// SPDX-License-Identifier: MIT
//
// One channel of a texel: its bits in memory, and what a register holds of it. Images and the typed buffers of the
// emulator have the same rules; docs/isa-errata.md, "Typed buffers", says where they come from:
//   normalized numbers  rounded once, to nearest, ties to even; clamped; NaN becomes 0
//   scaled numbers      the integer as a float; back by truncation; clamped; NaN becomes 0
//   integers            extended; saturated on the way back
//   floats              exact; to shorter ones by truncation
// Channels have 1 to 24 or 32 bits; those of 32 are integers or floats. The host rounds to nearest. With constants for
// the kind of number and the width, a few instructions of each function are left, which compilers do not foresee.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/bits.h"
#include "base/half.h"
#include "texel/format.h"
#include "texel/srgb.h"

namespace spalt::texel {

constexpr uint32_t all_ones(unsigned bits) {
  return static_cast<uint32_t>((uint64_t{1} << bits) - 1);
}

/// Floats of 10 and 11 bits are halves without a sign whose mantissa is cut by so many bits.
constexpr unsigned small_float_shift(unsigned bits) {
  return 15 - bits;
}

/// The number that a channel stands for, exactly or as a double that rounds to the right float and to the right half;
/// not for integers, and not for channels of 32 bits. Normalized numbers are multiplied by a reciprocal: the binary
/// digits of c / (2^n - 1) are those of c over and over, so that no quotient comes as close to a middle between two
/// floats as the product is to the quotient.
[[gnu::always_inline]] inline double number_of(Number number, uint32_t raw, unsigned bits) {
  const double value = raw, with_sign = static_cast<int32_t>(sign_extend(raw, bits));
  switch (number) {
    case Number::unorm:
      return value * (1.0 / all_ones(bits));
    case Number::snorm:
      return std::max(with_sign * (1.0 / all_ones(bits - 1)), -1.0);
    case Number::uscaled:
      return value;
    case Number::sscaled:
      return with_sign;
    case Number::srgb:
      return kLinearOfSrgb[raw];
    default:
      return half_to_float(bits == 16 ? raw : raw << small_float_shift(bits));
  }
}

/// A channel as a 32-bit register gets it: a float, or an extended integer.
[[gnu::always_inline]] inline uint32_t decode_channel(Number number, uint32_t raw, unsigned bits) {
  if (number == Number::uint || bits == 32) return raw;
  if (number == Number::sint) return static_cast<uint32_t>(sign_extend(raw, bits));
  return std::bit_cast<uint32_t>(static_cast<float>(number_of(number, raw, bits)));
}

/// The integer nearest to a value of less than 2^31, the even one of two: the addition leaves a double no fraction.
inline uint32_t round_to_even(double value) {
  return static_cast<uint32_t>(std::bit_cast<uint64_t>(value + 0x1.8p52));
}

inline double clamp_number(double value, double low, double high) {
  return value == value ? std::clamp(value, low, high) : 0;
}

inline uint32_t saturate_signed(uint32_t value, unsigned bits) {
  const int64_t limit = int64_t{1} << (bits - 1);
  return static_cast<uint32_t>(std::clamp<int64_t>(static_cast<int32_t>(value), -limit, limit - 1));
}

inline uint32_t saturate_unsigned(uint32_t value, unsigned bits) {
  return std::min(value, all_ones(bits));
}

[[gnu::always_inline]] inline uint32_t encode_float(uint32_t float_bits, unsigned bits) {
  if (bits == 32) return float_bits;
  const uint32_t half = truncate_to_half(float_bits);
  if (bits == 16) return half;
  // No sign: negative numbers become 0. NaN stays one, whatever its sign.
  if ((half & 0x7fffu) > kHalfInfinity) return kHalfNaN >> small_float_shift(bits);
  return (half & 0x8000u) != 0 ? 0 : half >> small_float_shift(bits);
}

/// The bits in memory, of which the lowest `bits` count, from what a 32-bit register holds.
[[gnu::always_inline]] inline uint32_t encode_channel(Number number, uint32_t value, unsigned bits) {
  const double given = std::bit_cast<float>(value);
  const double most = all_ones(bits), most_signed = all_ones(bits - 1);
  switch (number) {
    case Number::unorm:
      return round_to_even(clamp_number(given, 0, 1) * most);
    case Number::snorm:
      return round_to_even(clamp_number(given, -1, 1) * most_signed);
    case Number::uscaled:
      return static_cast<uint32_t>(clamp_number(given, 0, most));
    case Number::sscaled:
      return static_cast<uint32_t>(static_cast<int32_t>(clamp_number(given, -most_signed - 1, most_signed)));
    case Number::uint:
      return saturate_unsigned(value, bits);
    case Number::sint:
      return saturate_signed(value, bits);
    case Number::srgb:
      return srgb_of_linear(std::bit_cast<float>(value));
    default:
      return encode_float(value, bits);
  }
}

// ---- Registers of 16 bits: halves, and integers of 16 bits ----

/// A channel as 16 bits: a half, or a saturated integer.
inline uint32_t decode_channel16(Number number, uint32_t raw, unsigned bits) {
  if (number == Number::uint) return saturate_unsigned(raw, 16);
  if (number == Number::sint) return saturate_signed(static_cast<uint32_t>(sign_extend(raw, bits)), 16) & 0xffffu;
  if (number == Number::floating) {
    return bits == 32 ? truncate_to_half(raw) : bits == 16 ? raw : raw << small_float_shift(bits);
  }
  return double_to_half(number_of(number, raw, bits));
}

/// What a 32-bit register would hold of the number that 16 bits stand for.
inline uint32_t widen16(Number number, uint32_t half) {
  if (number == Number::uint) return half & 0xffffu;
  if (number == Number::sint) return static_cast<uint32_t>(sign_extend(half & 0xffffu, 16));
  return std::bit_cast<uint32_t>(half_to_float(half & 0xffffu));
}

/// The constant one as 16 bits.
constexpr uint32_t half_one_of(Number number) {
  return is_integer(number) ? 1 : 0x3c00u;
}

}  // namespace spalt::texel
