// SPDX-License-Identifier: MIT
// What a texel of a format that is not compressed means, by the name of the format: which components it has, of how
// many bits, in which order. Written from the Vulkan specification, "Format Definition", and the Khronos Data Format
// specification, in long double and bit by bit; shares nothing with src/texel.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spalt::texel::reference {

struct Component {
  char letter;  ///< R, G, B, A, D, S, E or X
  unsigned bits;
  unsigned offset;  ///< of its least significant bit in the texel
};

struct Meaning {
  std::vector<Component> components;
  std::string number;  ///< UNORM, ...
  unsigned bytes = 0;

  const Component* find(char letter) const;
  /// The kind of number that a component is.
  std::string number_of(char letter) const;
};

/// By the name without VK_FORMAT_; of depth and stencil together, what the depth plane is.
Meaning meaning_of(const std::string& name);

uint64_t get_bits(const uint8_t* bytes, unsigned offset, unsigned bits);
void set_bits(uint8_t* bytes, unsigned offset, unsigned bits, uint64_t value);

/// The number that the bits of a component stand for. Not for shared exponents.
long double value_of(const std::string& number, uint64_t raw, unsigned bits);
/// The bits that are closest to a number, or, of floats, those of the closest number between it and 0.
uint64_t bits_of_value(const std::string& number, long double value, unsigned bits);

/// RGB to shared exponent conversion.
uint32_t shared_exponent_of(const float* rgb);

}  // namespace spalt::texel::reference
