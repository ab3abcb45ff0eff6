// SPDX-License-Identifier: MIT
// What BC6H and BC7 share (Khronos Data Format specification, "BPTC Compressed Texture Image Formats"): a partition of
// the texels into subsets, each with two ends of its own, and for each texel an index that says how far it is from the
// one to the other.
#pragma once
#include <array>
#include <cstdint>

#include "texel/block.h"

namespace spalt::texel {

struct Partition {
  uint32_t subsets;                ///< two bits for each texel
  std::array<uint8_t, 3> anchors;  ///< of each subset the texel whose index lacks its highest bit, which is 0
  constexpr unsigned subset_of(unsigned texel) const { return subsets >> (2 * texel) & 3; }
};
/// `subsets` is 1 to 3, `number` below 64.
const Partition& partition(unsigned subsets, unsigned number);

/// The indices of all texels, of `bits` bits each but for the anchors of the first `subsets` subsets.
std::array<uint8_t, 16> read_indices(const BlockBits& block, unsigned offset, unsigned bits, unsigned subsets,
                                     const Partition& partition);

/// How much of 64 the second end has at an index of 2, 3 or 4 bits.
constexpr int interpolation_weight(unsigned index, unsigned bits) {
  const unsigned weight = bits == 2   ? index * 21 + (index >> 1)
                          : bits == 3 ? index * 9 + (index >> 2)
                                      : index * 4 + (index >> 2) + (index >> 1 & 1);
  return static_cast<int>(weight);
}

constexpr int interpolate(int a, int b, int weight) {
  return ((64 - weight) * a + weight * b + 32) >> 6;
}

}  // namespace spalt::texel
