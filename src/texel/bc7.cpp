// SPDX-License-Identifier: MIT
// BC7 (Khronos Data Format specification, "BC7"). A block has one of eight modes, which says how many bits each field
// has; the fields follow each other in the order in which they are read here.
#include <bit>
#include <utility>

#include "texel/bptc.h"
#include "texel/channel.h"

namespace spalt::texel {
namespace {

struct Mode {
  uint8_t subsets;
  uint8_t partition_bits, rotation_bits, selection_bits;
  uint8_t color_bits, alpha_bits;  ///< of each end; alpha 0: opaque
  uint8_t end_p_bits;              ///< 1: each end has a bit below those of its channels
  uint8_t shared_p_bits;           ///< 1: both ends of a subset share one
  uint8_t index_bits, second_index_bits;
};

constexpr Mode kModes[] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

using Color = std::array<uint8_t, 4>;
/// Of subset 0, then of subset 1 and 2.
using Ends = std::array<Color, 6>;

/// Reads fields one after the other.
struct Reader {
  BlockBits block;
  unsigned offset;

  uint32_t take(unsigned bits) {
    const uint32_t value = block.get(offset, bits);
    offset += bits;
    return value;
  }
};

/// Fills a byte with a value of at least 4 bits: its upper bits are repeated below it.
constexpr uint8_t widen(unsigned value, unsigned bits) {
  const unsigned upper = value << (8 - bits);
  return static_cast<uint8_t>(upper | upper >> bits);
}

Ends read_ends(Reader& reader, const Mode& mode) {
  const unsigned count = 2u * mode.subsets, channels = mode.alpha_bits != 0 ? 4 : 3;
  Ends ends{};
  for (unsigned c = 0; c < channels; ++c) {
    for (unsigned i = 0; i < count; ++i) {
      ends[i][c] = static_cast<uint8_t>(reader.take(c == 3 ? mode.alpha_bits : mode.color_bits));
    }
  }
  const unsigned p_bits = mode.end_p_bits | mode.shared_p_bits;
  uint32_t p = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (mode.end_p_bits != 0 || (mode.shared_p_bits != 0 && i % 2 == 0)) p = reader.take(1);
    for (unsigned c = 0; c < 4; ++c) {
      const unsigned bits = c == 3 ? mode.alpha_bits : mode.color_bits;
      ends[i][c] = c < channels ? widen(unsigned{ends[i][c]} << p_bits | p, bits + p_bits) : 255;
    }
  }
  return ends;
}

/// Rotation: alpha has changed places with a colour channel.
void rotate(Color& color, unsigned rotation) {
  if (rotation != 0) std::swap(color[3], color[rotation - 1]);
}

Texel to_texel(const Color& color, bool srgb) {
  Texel texel;
  for (unsigned c = 0; c < 3; ++c) texel[c] = decode_channel(srgb ? Number::srgb : Number::unorm, color[c], 8);
  texel[3] = decode_channel(Number::unorm, color[3], 8);
  return texel;
}

}  // namespace

void decode_bc7(const std::byte* bytes, bool srgb, Block& block) {
  Reader reader{BlockBits(bytes), 0};
  const unsigned number = static_cast<unsigned>(std::countr_zero(reader.block.get(0, 8) | 0x100));
  if (number == 8) {  // reserved
    block = {};
    return;
  }
  const Mode& mode = kModes[number];
  reader.offset = number + 1;
  const Partition& parts = partition(mode.subsets, reader.take(mode.partition_bits));
  const unsigned rotation = reader.take(mode.rotation_bits);
  const bool swaps_indices = reader.take(mode.selection_bits) != 0;
  const Ends ends = read_ends(reader, mode);

  const auto first = read_indices(reader.block, reader.offset, mode.index_bits, mode.subsets, parts);
  const bool has_second = mode.second_index_bits != 0;
  const unsigned second_offset = reader.offset + 16u * mode.index_bits - mode.subsets;
  const auto second = has_second ? read_indices(reader.block, second_offset, mode.second_index_bits, 1, parts) : first;
  const unsigned second_bits = has_second ? mode.second_index_bits : mode.index_bits;
  for (unsigned texel = 0; texel < 16; ++texel) {
    const Color* end = &ends[2 * parts.subset_of(texel)];
    const int a = interpolation_weight(first[texel], mode.index_bits),
              b = interpolation_weight(second[texel], second_bits);
    const int color_weight = swaps_indices ? b : a, alpha_weight = swaps_indices ? a : b;
    Color color;
    for (unsigned c = 0; c < 4; ++c) {
      color[c] = static_cast<uint8_t>(interpolate(end[0][c], end[1][c], c == 3 ? alpha_weight : color_weight));
    }
    rotate(color, rotation);
    block[texel] = to_texel(color, srgb);
  }
}

}  // namespace spalt::texel
