// SPDX-License-Identifier: MIT
#include "icd/transfer/texel_image.h"

#include <algorithm>
#include <cstring>

namespace spalt::icd {
namespace {

void read_blocks(const TexelImage& image, uint32_t y, const std::byte* row, const uint32_t* places, uint32_t count,
                 spalt_texel* texels) {
  spalt_texel block[16];
  uint32_t decoded = UINT32_MAX;  // the block that is in there
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t x = places[i] / image.block_width;
    if (x != decoded) {
      spalt_decode_texels(image.format, row + size_t{x} * image.grid.block_bytes, 16, block);
      decoded = x;
    }
    texels[i] = block[y % image.block_height * image.block_width + places[i] % image.block_width];
  }
}

void read_singles(const TexelImage& image, const std::byte* row, const uint32_t* places, uint32_t count,
                  spalt_texel* texels) {
  std::byte bytes[kTexelBatch * kMaxBlockBytes];
  const size_t size = image.grid.block_bytes;
  for (uint32_t i = 0; i < count; ++i) std::memcpy(bytes + i * size, row + places[i] * size, size);
  spalt_decode_texels(image.format, bytes, count, texels);
}

}  // namespace

TexelImage texel_image(const Image& image, const ImagePlane& plane, uint32_t level) {
  const VkExtent3D extent = image.level_extent(level);
  return {image_grid(image, plane, level), plane.info.format, plane.format.block_width,
          plane.format.block_height,       extent.width,      extent.height};
}

void read_texels(const TexelImage& image, uint32_t y, uint32_t slice, const uint32_t* places, uint32_t count,
                 spalt_texel* texels) {
  const std::byte* row = image.grid.row(0, y / image.block_height, slice, image.grid.width);
  if (row == nullptr) {
    std::fill_n(texels, count, spalt_texel{});
  } else if (image.is_compressed()) {
    read_blocks(image, y, row, places, count, texels);
  } else {
    read_singles(image, row, places, count, texels);
  }
}

void write_texels(const TexelImage& image, uint32_t x, uint32_t y, uint32_t slice, const spalt_texel* texels,
                  uint32_t count) {
  std::byte* row = image.grid.row(x, y, slice, count);
  if (row != nullptr) spalt_encode_texels(image.format, texels, count, row);
}

}  // namespace spalt::icd
