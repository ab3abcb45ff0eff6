// SPDX-License-Identifier: MIT
//
// Places of Vulkan's copy regions in the grids of image planes.
#pragma once

#include "icd/transfer/block_grid.h"

namespace spalt::icd {

/// Offsets that are negative, which no valid region has, become places outside of every grid.
BlockPlace block_place(const Image& image, const ImagePlane& plane, const VkImageSubresourceLayers& layers,
                       const VkOffset3D& offset);
/// Of an extent in texels: blocks that are covered in part count. Layers of 3D images are depth slices.
BlockExtent block_extent(const Image& image, const ImagePlane& plane, const VkImageSubresourceLayers& layers,
                         const VkExtent3D& extent);

/// Rows of texels in a buffer, as VkBufferImageCopy and VkBufferImageCopy2 describe them.
struct BufferRows {
  MemoryRange range;
  uint32_t row_texels = 0;    // from one row to the next; 0: as the extent
  uint32_t slice_texels = 0;  // rows from one slice to the next, in texels; 0: as the extent
};

/// The grid of a buffer whose texels are those of a plane; `extent` is that of the image's part.
BlockGrid buffer_grid(const BufferRows& rows, const ImagePlane& plane, const VkExtent3D& extent, uint32_t slices);

}  // namespace spalt::icd
