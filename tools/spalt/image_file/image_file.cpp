// SPDX-License-Identifier: MIT
#include "image_file/image_file.h"

#include <spalt/texel.h>

#include <algorithm>
#include <bit>
#include <iterator>

namespace spalt_tool {

uint64_t level_bytes(const ImageData& image, uint32_t level) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  if (spalt_query_format(image.format, &info) != SPALT_SUCCESS) return 0;
  const auto size = [&](uint32_t texels) { return std::max(1u, level < 32 ? texels >> level : 0); };
  const auto blocks = [](uint32_t texels, uint32_t block) { return uint64_t{(texels + block - 1) / block}; };
  return blocks(size(image.width), info.block_width) * blocks(size(image.height), info.block_height) *
         size(image.depth) * image.layers * info.block_bytes;
}

uint32_t most_levels(const ImageData& image) {
  return static_cast<uint32_t>(std::bit_width(std::max({image.width, image.height, image.depth})));
}

bool is_png(const std::vector<uint8_t>& bytes) {
  constexpr uint8_t kPng[] = {0x89, 'P', 'N', 'G'};
  return bytes.size() >= sizeof kPng && std::equal(std::begin(kPng), std::end(kPng), bytes.begin());
}

bool read_image(const std::vector<uint8_t>& bytes, ImageData& image, std::string& error) {
  constexpr uint8_t kKtx[] = {0xab, 'K', 'T', 'X'};
  if (is_png(bytes)) return read_png(bytes, image, error);
  if (bytes.size() >= sizeof kKtx && std::equal(std::begin(kKtx), std::end(kKtx), bytes.begin())) {
    return read_ktx2(bytes, image, error);
  }
  error = "is neither KTX2 nor PNG";
  return false;
}

}  // namespace spalt_tool
