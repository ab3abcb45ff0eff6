// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "ir/builder.h"

namespace spalt::passes {

/// Constants of few bits beside each other in one or two words: a shift brings one of them, where a table would be
/// loaded from memory. Floats that are integers count as such, and all constants from the least of them.
struct PackedElements {
  std::array<uint32_t, 2> words{};
  uint8_t width = 0;  ///< bits of an element: a power of two, so that none is in both words
  uint8_t word_count = 1;
  bool is_float = false;
  int32_t least = 0;  ///< what the bits count from
};

/// nullopt: they do not fit. `elements`: their bits, at least one; `type`: i32 or f32.
std::optional<PackedElements> pack_elements(std::span<const uint32_t> elements, ir::Type type);

/// Operations on the vector unit that `element` makes, apart from that of the place.
unsigned operations(const PackedElements& packed);

/// The element whose bits begin at `place`, an i32, below 64 where there are two words and else below 32; anything for
/// other places.
ir::Value element(ir::Builder& builder, const PackedElements& packed, ir::Value place);

}  // namespace spalt::passes
