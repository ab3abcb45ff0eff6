// SPDX-License-Identifier: MIT
#include "texel/block.h"

#include <cstring>

namespace spalt::texel {

BlockBits::BlockBits(const std::byte* bytes) {
  std::memcpy(words_.data(), bytes, sizeof words_);
}

void decode_block(Layout layout, const std::byte* bytes, std::array<Texel, 16>& texels) {
  const bool srgb = layout.number == Number::srgb, is_snorm = layout.number == Number::snorm;
  texels = {};
  switch (layout.shape) {
    case Shape::bc1:
      return decode_bc1(bytes, srgb, texels);
    case Shape::bc2:
      return decode_bc2(bytes, srgb, texels);
    case Shape::bc3:
      return decode_bc3(bytes, srgb, texels);
    case Shape::bc4:
      return decode_bc4(bytes, is_snorm, 0, texels);
    case Shape::bc5:
      decode_bc4(bytes, is_snorm, 0, texels);
      return decode_bc4(bytes + 8, is_snorm, 1, texels);
    case Shape::bc6:
      return decode_bc6(bytes, layout.number == Number::floating, texels);
    case Shape::bc7:
      return decode_bc7(bytes, srgb, texels);
    default:
      return;
  }
}

}  // namespace spalt::texel
