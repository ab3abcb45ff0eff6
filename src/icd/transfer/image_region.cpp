// SPDX-License-Identifier: MIT
#include "icd/transfer/image_region.h"

namespace spalt::icd {
namespace {

uint32_t blocks(uint32_t texels, uint32_t block_size) {
  return texels / block_size + (texels % block_size != 0 ? 1 : 0);
}

/// Negative offsets are beyond what an image can have, also as blocks.
uint32_t block_offset(int32_t texels, uint32_t block_size) {
  return texels < 0 ? UINT32_MAX : static_cast<uint32_t>(texels) / block_size;
}

uint32_t layer_count(const Image& image, const VkImageSubresourceLayers& layers) {
  if (layers.layerCount != VK_REMAINING_ARRAY_LAYERS) return layers.layerCount;
  return layers.baseArrayLayer < image.layers() ? image.layers() - layers.baseArrayLayer : 0;
}

}  // namespace

BlockPlace block_place(const Image& image, const ImagePlane& plane, const VkImageSubresourceLayers& layers,
                       const VkOffset3D& offset) {
  const bool is_3d = image.type() == VK_IMAGE_TYPE_3D;
  return {block_offset(offset.x, plane.format.block_width), block_offset(offset.y, plane.format.block_height),
          is_3d ? block_offset(offset.z, 1) : layers.baseArrayLayer * image.samples()};
}

BlockExtent block_extent(const Image& image, const ImagePlane& plane, const VkImageSubresourceLayers& layers,
                         const VkExtent3D& extent) {
  const bool is_3d = image.type() == VK_IMAGE_TYPE_3D;
  return {blocks(extent.width, plane.format.block_width), blocks(extent.height, plane.format.block_height),
          is_3d ? extent.depth : layer_count(image, layers) * image.samples()};
}

BlockGrid buffer_grid(const BufferRows& rows, const ImagePlane& plane, const VkExtent3D& extent, uint32_t slices) {
  BlockGrid grid;
  grid.range = rows.range;
  grid.block_bytes = plane.format.block_bytes;
  grid.width = blocks(rows.row_texels != 0 ? rows.row_texels : extent.width, plane.format.block_width);
  grid.height = blocks(rows.slice_texels != 0 ? rows.slice_texels : extent.height, plane.format.block_height);
  grid.slices = slices;
  grid.row_bytes = uint64_t{grid.width} * grid.block_bytes;
  grid.slice_bytes = grid.height * grid.row_bytes;
  return grid;
}

}  // namespace spalt::icd
