// SPDX-License-Identifier: MIT
#pragma once

#include "icd/transfer/block_grid.h"

namespace spalt::icd {

/// Texels that are converted at once: what fits on a stack.
inline constexpr uint32_t kTexelBatch = 64;
inline constexpr uint32_t kMaxBlockBytes = 16;

/// A grid whose blocks are read and written as numbers. Its width and height in texels are those that shaders see.
struct TexelImage {
  BlockGrid grid;
  uint32_t format = 0;
  uint32_t block_width = 1, block_height = 1;
  uint32_t width = 0, height = 0;

  bool is_compressed() const { return block_width != 1 || block_height != 1; }
};

TexelImage texel_image(const Image& image, const ImagePlane& plane, uint32_t level);

/// Reads `count` texels of a row, at most kTexelBatch, at places that the image has. What is not in memory is 0.
void read_texels(const TexelImage& image, uint32_t y, uint32_t slice, const uint32_t* places, uint32_t count,
                 spalt_texel* texels);
/// Writes texels that follow each other; not into compressed formats. What is not in memory is left out.
void write_texels(const TexelImage& image, uint32_t x, uint32_t y, uint32_t slice, const spalt_texel* texels,
                  uint32_t count);

}  // namespace spalt::icd
