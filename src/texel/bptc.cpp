// SPDX-License-Identifier: MIT
#include "texel/bptc.h"

namespace spalt::texel {
namespace {

/// "0011 0011 0011 0011"
constexpr uint32_t parse_subsets(const char* text) {
  uint32_t subsets = 0;
  for (unsigned texel = 0; *text != 0; ++text) {
    if (*text != ' ') subsets |= static_cast<uint32_t>(*text - '0') << (2 * texel++);
  }
  return subsets;
}

constexpr Partition kWhole = {0, {0, 0, 0}};

constexpr Partition kTwo[64] = {
#define SPALT_PARTITION_2(subsets, anchor) {parse_subsets(subsets), {0, anchor, 0}},
#define SPALT_PARTITION_3(subsets, anchor1, anchor2)
#include "texel/bptc_partitions.def"
#undef SPALT_PARTITION_2
#undef SPALT_PARTITION_3
};

constexpr Partition kThree[64] = {
#define SPALT_PARTITION_2(subsets, anchor)
#define SPALT_PARTITION_3(subsets, anchor1, anchor2) {parse_subsets(subsets), {0, anchor1, anchor2}},
#include "texel/bptc_partitions.def"
#undef SPALT_PARTITION_2
#undef SPALT_PARTITION_3
};

/// Each anchor is a texel of its subset.
constexpr bool anchors_are_inside(const Partition (&table)[64], unsigned subsets) {
  for (const Partition& partition : table) {
    for (unsigned subset = 0; subset < subsets; ++subset) {
      if (partition.subset_of(partition.anchors[subset]) != subset) return false;
    }
  }
  return true;
}
static_assert(anchors_are_inside(kTwo, 2) && anchors_are_inside(kThree, 3));

}  // namespace

const Partition& partition(unsigned subsets, unsigned number) {
  return subsets == 1 ? kWhole : subsets == 2 ? kTwo[number] : kThree[number];
}

std::array<uint8_t, 16> read_indices(const BlockBits& block, unsigned offset, unsigned bits, unsigned subsets,
                                     const Partition& partition) {
  uint32_t anchors = 0;  // a bit for each texel
  for (unsigned subset = 0; subset < subsets; ++subset) anchors |= 1u << partition.anchors[subset];
  std::array<uint8_t, 16> indices;
  for (unsigned texel = 0; texel < 16; ++texel) {
    const unsigned width = bits - (anchors >> texel & 1);
    indices[texel] = static_cast<uint8_t>(block.get(offset, width));
    offset += width;
  }
  return indices;
}

}  // namespace spalt::texel
