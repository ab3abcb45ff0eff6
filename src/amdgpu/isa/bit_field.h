// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::isa {

/// Some bits of a word or an immediate.
struct BitField {
  uint8_t shift, bits;
  constexpr uint32_t max() const { return (1u << bits) - 1; }
  constexpr uint32_t of(uint32_t word) const { return word >> shift & max(); }
  /// `value` up to max().
  constexpr uint32_t at(uint32_t value) const { return value << shift; }
};

}  // namespace spalt::isa
