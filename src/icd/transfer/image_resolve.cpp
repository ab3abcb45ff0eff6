// SPDX-License-Identifier: MIT
#include "icd/transfer/image_resolve.h"

#include <algorithm>
#include <bit>

namespace spalt::icd {

void ImageResolve::run() const {
  for (uint32_t layer = 0; layer < extent.slices; ++layer) {
    const BlockPlace read{from.x, from.y, from.slice + layer * samples};
    const BlockPlace written{to.x, to.y, to.slice + layer};
    if (!average) {
      copy_blocks(source.grid, read, destination.grid, written, {extent.width, extent.height, 1});
      continue;
    }
    const BlockExtent both = cut(source.grid, read, destination.grid, written, {extent.width, extent.height, 1});
    for (uint32_t y = 0; y < both.height * both.slices; ++y) {
      for (uint32_t x = 0; x < both.width; x += kTexelBatch) {
        resolve_batch(x, y, layer, std::min(kTexelBatch, both.width - x));
      }
    }
  }
}

void ImageResolve::resolve_batch(uint32_t x, uint32_t y, uint32_t layer, uint32_t count) const {
  uint32_t places[kTexelBatch];
  for (uint32_t i = 0; i < count; ++i) places[i] = from.x + x + i;
  float sums[kTexelBatch][4] = {};
  spalt_texel texels[kTexelBatch];
  for (uint32_t sample = 0; sample < samples; ++sample) {
    read_texels(source, from.y + y, from.slice + layer * samples + sample, places, count, texels);
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t c = 0; c < 4; ++c) sums[i][c] += std::bit_cast<float>(texels[i].rgba[c]);
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t c = 0; c < 4; ++c) {
      texels[i].rgba[c] = std::bit_cast<uint32_t>(sums[i][c] / static_cast<float>(samples));
    }
  }
  write_texels(destination, to.x + x, to.y + y, to.slice + layer, texels, count);
}

}  // namespace spalt::icd
