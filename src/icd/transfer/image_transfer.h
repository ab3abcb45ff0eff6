// SPDX-License-Identifier: MIT
//
// Copies and clears of presentable images on the host. Regions are cut to what both sides have.
#pragma once

#include "icd/resource/buffer.h"
#include "icd/resource/image.h"

namespace spalt::icd {

/// A rectangle of texels.
struct Rectangle {
  int32_t x = 0, y = 0;
  uint32_t width = 0, height = 0;
};

/// Texels of a buffer: `row_texels` from one row to the next.
struct BufferTexels {
  BufferRange range;
  uint32_t row_texels = 0;
};

void copy_buffer_to_image(const BufferTexels& source, const Image& destination, const Rectangle& area);
void copy_image_to_buffer(const Image& source, const Rectangle& area, const BufferTexels& destination);
/// `x` and `y` of the area are those of the source.
void copy_image(const Image& source, const Rectangle& area, const Image& destination, int32_t x, int32_t y);
void clear_image(const Image& image, const VkClearColorValue& color);

}  // namespace spalt::icd
