// SPDX-License-Identifier: MIT
#pragma once

#include "icd/transfer/block_grid.h"

namespace spalt::icd {

/// Blocks of one level that all become the same.
struct ImageClear {
  BlockGrid grid;
  BlockPlace place;
  BlockExtent extent;
  std::byte block[16];

  void run() const { fill_blocks(grid, place, extent, block); }
};

/// A level of a plane, cleared to R, G, B, A as a shader would write them; depth and stencil are R. `layers` of the
/// image; of 3D images all slices are cleared.
ImageClear make_clear(const Image& image, const ImagePlane& plane, uint32_t level, uint32_t first_layer,
                      uint32_t layer_count, const spalt_texel& value);

}  // namespace spalt::icd
