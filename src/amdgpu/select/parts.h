// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/select: where the components of a value lie in its registers.
//
// A value takes as many dwords as its bits need. Components of 32 bits are a dword each, those of 64 bits two, and
// narrower ones share dwords, the first in the lowest bits. Registers are dwords, so a value is taken apart in levels,
// each of which has parts of one kind:
//   vector of components of 32 bits and more    its components
//   64-bit scalar                               its two dwords
//   narrow vector of several dwords             its dwords, each a vector that fills one
//   narrow vector in one dword                  its components
#pragma once
#include "ir/type.h"

namespace spalt::select {

constexpr unsigned dwords_of(ir::Type type) {
  return type.is_bool() ? 1 : (type.bits() + 31) / 32;
}

/// One level of taking a type apart.
struct Parts {
  ir::Type type;       ///< of each part
  unsigned count = 1;  ///< 1: nothing to take apart
  /// The parts share one dword; a part begins at bit `index * type.bits()` of it.
  bool shared = false;
};

constexpr Parts parts_of(ir::Type type) {
  const unsigned bits = type.scalar_bits();
  if (!type.is_vector()) return bits == 64 ? Parts{ir::kI32, 2} : Parts{type, 1};
  if (bits >= 32) return {type.element(), type.components};
  const unsigned in_dword = 32 / bits;
  if (type.components <= in_dword) return {type.element(), type.components, true};
  return {type.element().vector(in_dword), dwords_of(type)};
}

}  // namespace spalt::select
