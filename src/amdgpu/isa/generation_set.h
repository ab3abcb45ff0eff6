// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

/// The columns of a table of facts in which a row holds.
struct GenerationSet {
  uint8_t bits = 0;  ///< bit i for Generation i
  constexpr bool has(Generation generation) const { return (bits >> static_cast<unsigned>(generation) & 1) != 0; }
};

constexpr GenerationSet generations(Generation first, Generation last) {
  GenerationSet set;
  for (auto i = static_cast<unsigned>(first); i <= static_cast<unsigned>(last); ++i) {
    set.bits = static_cast<uint8_t>(set.bits | 1u << i);
  }
  return set;
}

// Named after the first and the last of them.
constexpr GenerationSet kGfx9To12 = generations(Generation::gfx9, Generation::gfx12);
constexpr GenerationSet kGfx9To11 = generations(Generation::gfx9, Generation::gfx11_5);
constexpr GenerationSet kGfx9To10 = generations(Generation::gfx9, Generation::gfx10_3);
constexpr GenerationSet kGfx9 = generations(Generation::gfx9, Generation::gfx9);
constexpr GenerationSet kGfx9To10_1 = generations(Generation::gfx9, Generation::gfx10_1);
constexpr GenerationSet kGfx10To12 = generations(Generation::gfx10_1, Generation::gfx12);
constexpr GenerationSet kGfx10To11 = generations(Generation::gfx10_1, Generation::gfx11_5);
constexpr GenerationSet kGfx10 = generations(Generation::gfx10_1, Generation::gfx10_3);
constexpr GenerationSet kGfx10_3To12 = generations(Generation::gfx10_3, Generation::gfx12);
constexpr GenerationSet kGfx10_3To11 = generations(Generation::gfx10_3, Generation::gfx11_5);
constexpr GenerationSet kGfx11To12 = generations(Generation::gfx11, Generation::gfx12);
constexpr GenerationSet kGfx11 = generations(Generation::gfx11, Generation::gfx11_5);
constexpr GenerationSet kGfx12 = generations(Generation::gfx12, Generation::gfx12);

}  // namespace spalt::isa
