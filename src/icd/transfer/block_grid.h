// SPDX-License-Identifier: MIT
//
// Texels in memory as commands of the host see them: slices of rows of blocks, in an image or in a buffer. A block is a
// texel, or one of a compressed format; all sizes and places are in blocks. Layers, samples of layers and depth slices
// are slices alike, so that 2D layers and 3D slices copy to each other. What is outside of a grid, or of its memory, is
// cut off: nothing here leaves it.
#pragma once

#include "icd/resource/buffer.h"
#include "icd/resource/image.h"

namespace spalt::icd {

struct BlockGrid {
  MemoryRange range;  // begins with the first block of slice 0
  uint64_t row_bytes = 0, slice_bytes = 0;
  uint32_t block_bytes = 0;
  uint32_t width = 0, height = 0, slices = 0;

  /// The first block of a row; nullptr where `blocks` from there on are not all in memory.
  std::byte* row(uint32_t x, uint32_t y, uint32_t slice, uint32_t blocks) const {
    const uint64_t offset = slice * slice_bytes + y * row_bytes + uint64_t{x} * block_bytes;
    const uint64_t bytes = uint64_t{blocks} * block_bytes;
    return offset <= range.size && range.size - offset >= bytes ? range.host + offset : nullptr;
  }
};

struct BlockPlace {
  uint32_t x = 0, y = 0, slice = 0;
};

struct BlockExtent {
  uint32_t width = 0, height = 0, slices = 0;
};

/// A level of a plane of an image, all its slices. Nothing of an image without memory, or that lacks the level.
BlockGrid image_grid(const Image& image, const ImagePlane& plane, uint32_t level);

/// What of an extent both grids have from these places on.
BlockExtent cut(const BlockGrid& a, const BlockPlace& at_a, const BlockGrid& b, const BlockPlace& at_b,
                const BlockExtent& extent);
BlockExtent cut(const BlockGrid& grid, const BlockPlace& place, const BlockExtent& extent);

/// Rows that either side has only in part are not copied. Blocks have the same size; else nothing is copied.
void copy_blocks(const BlockGrid& source, const BlockPlace& from, const BlockGrid& destination, const BlockPlace& to,
                 const BlockExtent& extent);

/// `block` has the bytes of one.
void fill_blocks(const BlockGrid& grid, const BlockPlace& place, const BlockExtent& extent, const std::byte* block);

}  // namespace spalt::icd
