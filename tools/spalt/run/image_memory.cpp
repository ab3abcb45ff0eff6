// SPDX-License-Identifier: MIT
#include "run/image_memory.h"

#include <spalt/texel.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "run/failure.h"
#include "run/place.h"

namespace spalt_tool {
namespace {

spalt_image_info info_of(const ImageData& image) {
  spalt_image_info info{};
  info.struct_size = sizeof info;
  info.format = image.format;
  info.dimensions = image.dimensions;
  info.width = image.width;
  info.height = image.height;
  info.depth = image.depth;
  info.levels = static_cast<uint32_t>(image.levels.size());
  info.layers = image.layers;
  info.samples = 1;
  return info;
}

std::string describe(const spalt_image_info& info) {
  std::string text = format_name(info.format) + " " + std::to_string(info.width);
  if (info.dimensions >= 2) text += " x " + std::to_string(info.height);
  if (info.dimensions >= 3) text += " x " + std::to_string(info.depth);
  return text + ", levels " + std::to_string(info.levels) + ", layers " + std::to_string(info.layers);
}

}  // namespace

/// Calls `copy(level, offset in the level of the file, offset in memory, bytes)` for each row of blocks.
template <class Copy>
void ImageMemory::for_each_row(const ImageData& image, Copy copy) const {
  spalt_format_info format{};
  format.struct_size = sizeof format;
  spalt_query_format(image.format, &format);
  const auto blocks = [](uint32_t texels, uint32_t level, uint32_t block) {
    return (std::max(texels >> level, 1u) + block - 1) / block;
  };
  for (uint32_t level = 0; level < image.levels.size(); ++level) {
    const spalt_image_level& place = layout_.levels[level];
    const uint64_t row_bytes = uint64_t{blocks(image.width, level, format.block_width)} * format.block_bytes;
    const uint32_t rows = blocks(image.height, level, format.block_height);
    const uint32_t slices = image.dimensions == 3 ? std::max(image.depth >> level, 1u) : image.layers;
    for (uint32_t slice = 0; slice < slices; ++slice) {
      for (uint32_t row = 0; row < rows; ++row) {
        copy(level, (uint64_t{slice} * rows + row) * row_bytes,
             slice * layout_.slice_bytes + place.offset + row * place.row_bytes, row_bytes);
      }
    }
  }
}

ImageMemory::ImageMemory(const spalt_compiler* compiler, ImageData image, const std::string& where)
    : info_(info_of(image)) {
  layout_.struct_size = sizeof layout_;
  if (image.levels.size() > SPALT_MAX_IMAGE_LEVELS ||
      spalt_query_image_layout(compiler, &info_, &layout_) != SPALT_SUCCESS) {
    throw Failure{where + "the target has no such image: " + describe(info_), kUnsupported};
  }
  words_.resize((layout_.bytes + 7) / 8);
  auto* memory = reinterpret_cast<uint8_t*>(words_.data());
  for_each_row(image, [&](uint32_t level, uint64_t packed, uint64_t placed, uint64_t size) {
    std::memcpy(memory + placed, image.levels[level].data() + packed, size);
  });
  for (std::vector<uint8_t>& level : image.levels) level = {};
  shape_ = std::move(image);
}

ImageData ImageMemory::contents() const {
  ImageData image = shape_;
  for (uint32_t level = 0; level < image.levels.size(); ++level) image.levels[level].resize(level_bytes(image, level));
  const auto* memory = reinterpret_cast<const uint8_t*>(words_.data());
  for_each_row(image, [&](uint32_t level, uint64_t packed, uint64_t placed, uint64_t size) {
    std::memcpy(image.levels[level].data() + packed, memory + placed, size);
  });
  return image;
}

}  // namespace spalt_tool
