// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "amdgpu/isa/target.h"
#include "real.h"

namespace spalt::semantics {

enum class Number : uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, floating };

/// Widths from x, in the least significant bits, on.
struct ChannelLayout {
  unsigned channels;
  std::array<unsigned, 4> bits;
  unsigned total() const { return bits[0] + bits[1] + bits[2] + bits[3]; }
};
struct TypedFormat {
  ChannelLayout layout;
  Number number;
  unsigned code;
};

/// What the target's typed buffer instructions know, under which code.
std::vector<TypedFormat> formats_of(const isa::Target& target);

/// One element in memory.
using Element = std::array<uint8_t, 16>;

uint32_t bits_at(const Element& element, unsigned first, unsigned count);
void set_bits(Element& element, unsigned first, unsigned count, uint64_t value);
unsigned first_bit(const ChannelLayout& layout, unsigned channel);

/// Floats of 10 and 11 bits have a 5-bit exponent and no sign.
FloatFormat float_of(unsigned bits);
/// What a channel in memory becomes in a register's 32 or 16 bits.
uint32_t loaded(Number number, uint32_t raw, unsigned bits, bool half);
/// The bits in memory of a register's value.
uint64_t stored(Number number, uint32_t value, unsigned bits, bool half);
bool is_nan_in(Number number, uint32_t raw, unsigned bits);

}  // namespace spalt::semantics
