// SPDX-License-Identifier: MIT
#include "icd/transfer/block_grid.h"

#include <algorithm>
#include <cstring>

namespace spalt::icd {
namespace {

uint32_t rest(uint32_t size, uint32_t begin) {
  return size - std::min(size, begin);
}

/// Writes copies of the block; each step doubles what is there.
void fill_row(std::byte* row, const std::byte* block, size_t block_bytes, size_t bytes) {
  std::memcpy(row, block, block_bytes);
  for (size_t done = block_bytes; done < bytes; done *= 2) std::memcpy(row + done, row, std::min(done, bytes - done));
}

}  // namespace

BlockGrid image_grid(const Image& image, const ImagePlane& plane, uint32_t level) {
  BlockGrid grid;
  if (image.binding().host() == nullptr || level >= image.levels()) return grid;
  const spalt_image_level& place = plane.layout.levels[level];
  const VkExtent3D extent = image.level_extent(level);
  const uint64_t offset = plane.offset + place.offset;
  grid.range = {image.binding().address() + offset, image.binding().host() + offset, plane.layout.bytes - place.offset};
  grid.row_bytes = place.row_bytes;
  grid.slice_bytes = plane.layout.slice_bytes;
  grid.block_bytes = plane.format.block_bytes;
  grid.width = (extent.width - 1) / plane.format.block_width + 1;
  grid.height = (extent.height - 1) / plane.format.block_height + 1;
  grid.slices = image.type() == VK_IMAGE_TYPE_3D ? extent.depth : image.layers() * image.samples();
  return grid;
}

BlockExtent cut(const BlockGrid& grid, const BlockPlace& place, const BlockExtent& extent) {
  return {std::min(extent.width, rest(grid.width, place.x)), std::min(extent.height, rest(grid.height, place.y)),
          std::min(extent.slices, rest(grid.slices, place.slice))};
}

BlockExtent cut(const BlockGrid& a, const BlockPlace& at_a, const BlockGrid& b, const BlockPlace& at_b,
                const BlockExtent& extent) {
  return cut(b, at_b, cut(a, at_a, extent));
}

void copy_blocks(const BlockGrid& source, const BlockPlace& from, const BlockGrid& destination, const BlockPlace& to,
                 const BlockExtent& extent) {
  if (source.block_bytes != destination.block_bytes) return;
  const BlockExtent both = cut(source, from, destination, to, extent);
  const size_t bytes = size_t{both.width} * source.block_bytes;
  for (uint32_t slice = 0; slice < both.slices; ++slice) {
    for (uint32_t y = 0; y < both.height; ++y) {
      const std::byte* read = source.row(from.x, from.y + y, from.slice + slice, both.width);
      std::byte* written = destination.row(to.x, to.y + y, to.slice + slice, both.width);
      if (read == nullptr || written == nullptr) return;
      if (bytes > 0) std::memmove(written, read, bytes);
    }
  }
}

void fill_blocks(const BlockGrid& grid, const BlockPlace& place, const BlockExtent& extent, const std::byte* block) {
  const BlockExtent inside = cut(grid, place, extent);
  const size_t bytes = size_t{inside.width} * grid.block_bytes;
  if (bytes == 0) return;
  const std::byte* first = nullptr;
  for (uint32_t slice = 0; slice < inside.slices; ++slice) {
    for (uint32_t y = 0; y < inside.height; ++y) {
      std::byte* row = grid.row(place.x, place.y + y, place.slice + slice, inside.width);
      if (row == nullptr) return;
      if (first == nullptr) {
        fill_row(row, block, grid.block_bytes, bytes);
        first = row;
      } else {
        std::memcpy(row, first, bytes);
      }
    }
  }
}

}  // namespace spalt::icd
