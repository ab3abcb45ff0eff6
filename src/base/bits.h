// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>

namespace spalt {

/// The bits [low, low + width) of value, shifted down to bit 0. width is 1..64.
constexpr uint64_t bits_of(uint64_t value, unsigned low, unsigned width) {
  return (value >> low) & (width >= 64 ? ~uint64_t{0} : ((uint64_t{1} << width) - 1));
}

/// value with the bits [low, low + width) replaced by field (excess bits of field are dropped).
constexpr uint64_t with_bits(uint64_t value, unsigned low, unsigned width, uint64_t field) {
  const uint64_t mask = width >= 64 ? ~uint64_t{0} : ((uint64_t{1} << width) - 1);
  return (value & ~(mask << low)) | ((field & mask) << low);
}

/// Interprets the low `width` bits of value as a two's complement number.
constexpr int64_t sign_extend(uint64_t value, unsigned width) {
  const unsigned shift = 64 - width;
  return static_cast<int64_t>(value << shift) >> shift;
}

constexpr uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace spalt
