// SPDX-License-Identifier: MIT
// The kinds of block compression. Each function decodes the 16 texels of a block, rows from the top; channels that the
// compression does not have are left alone.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "texel/codec.h"

namespace spalt::texel {

using Block = std::array<Texel, 16>;

/// Bits of a block of 16 bytes, from the least significant one of the first byte on.
class BlockBits {
 public:
  explicit BlockBits(const std::byte* bytes);
  /// `count` is at most 16; count 0 is 0.
  uint32_t get(unsigned offset, unsigned count) const {
    const uint64_t low = offset < 64 ? words_[0] >> offset : words_[1] >> (offset - 64);
    const uint64_t high = offset != 0 && offset < 64 ? words_[1] << (64 - offset) : 0;
    return static_cast<uint32_t>((low | high) & ((uint64_t{1} << count) - 1));
  }

 private:
  std::array<uint64_t, 2> words_;
};

void decode_bc1(const std::byte* bytes, bool srgb, Block& block);
void decode_bc2(const std::byte* bytes, bool srgb, Block& block);
void decode_bc3(const std::byte* bytes, bool srgb, Block& block);
/// The channel of BC4, or one of the two of BC5.
void decode_bc4(const std::byte* bytes, bool is_signed, unsigned channel, Block& block);
void decode_bc6(const std::byte* bytes, bool is_signed, Block& block);
void decode_bc7(const std::byte* bytes, bool srgb, Block& block);

}  // namespace spalt::texel
