// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "emu/image/image_descriptor.h"

namespace spalt::emu {

/// A texel of an image: coordinates within a level, all of them inside of it.
struct TexelPlace {
  uint32_t x = 0, y = 0;
  uint32_t slice = 0;  ///< absolute: depth slice, layer or face; of multisampled images layer * samples + sample
  uint32_t level = 0;  ///< absolute
};

/// Where the texel, or the block that it is in, begins.
inline uint64_t texel_address(const ImageDescriptor& image, const TexelPlace& at) {
  const texel::ShapeFacts& shape = *image.shape;
  const uint64_t level = image.base + at.slice * image.slice_bytes + image.level_offset[at.level];
  // Divisions cost as much as everything else here.
  if (!shape.is_compressed()) return level + at.y * image.row_bytes[at.level] + uint64_t{at.x} * shape.bytes;
  return level + at.y / shape.block_height * image.row_bytes[at.level] +
         uint64_t{at.x} / shape.block_width * shape.bytes;
}

/// Which texel of its block it is.
inline uint8_t texel_in_block(const ImageDescriptor& image, const TexelPlace& at) {
  const texel::ShapeFacts& shape = *image.shape;
  if (!shape.is_compressed()) return 0;
  return static_cast<uint8_t>(at.y % shape.block_height * shape.block_width + at.x % shape.block_width);
}

}  // namespace spalt::emu
