// SPDX-License-Identifier: MIT
#include "icd/transfer/image_resolve.h"

#include <algorithm>
#include <bit>

namespace spalt::icd {
namespace {

/// Bits of a float, or a number below 2^31, as an integer in the order of their values.
uint32_t order_of(uint32_t bits) {
  return (bits >> 31) != 0 ? ~bits : bits | 1u << 31;
}

}  // namespace

void ImageResolve::run() const {
  for (uint32_t layer = 0; layer < extent.slices; ++layer) {
    const BlockPlace read{from.x, from.y, from.slice + layer * samples};
    const BlockPlace written{to.x, to.y, to.slice + layer};
    if (merge == SampleMerge::first) {
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

void ImageResolve::read_sample(uint32_t x, uint32_t y, uint32_t slice, uint32_t count, spalt_texel* texels) const {
  uint32_t places[kTexelBatch];
  for (uint32_t i = 0; i < count; ++i) places[i] = from.x + x + i;
  read_texels(source, from.y + y, from.slice + slice, places, count, texels);
}

void ImageResolve::average(uint32_t x, uint32_t y, uint32_t layer, uint32_t count, spalt_texel* texels) const {
  float sums[kTexelBatch][4] = {};
  for (uint32_t sample = 0; sample < samples; ++sample) {
    read_sample(x, y, layer * samples + sample, count, texels);
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t c = 0; c < 4; ++c) sums[i][c] += std::bit_cast<float>(texels[i].rgba[c]);
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t c = 0; c < 4; ++c) {
      texels[i].rgba[c] = std::bit_cast<uint32_t>(sums[i][c] / static_cast<float>(samples));
    }
  }
}

/// The least or the greatest of the first component, which depth and stencil have alone.
void ImageResolve::choose(uint32_t x, uint32_t y, uint32_t layer, uint32_t count, spalt_texel* texels) const {
  read_sample(x, y, layer * samples, count, texels);
  for (uint32_t sample = 1; sample < samples; ++sample) {
    spalt_texel others[kTexelBatch];
    read_sample(x, y, layer * samples + sample, count, others);
    for (uint32_t i = 0; i < count; ++i) {
      const bool is_less = order_of(others[i].rgba[0]) < order_of(texels[i].rgba[0]);
      if (is_less == (merge == SampleMerge::minimum)) texels[i] = others[i];
    }
  }
}

void ImageResolve::resolve_batch(uint32_t x, uint32_t y, uint32_t layer, uint32_t count) const {
  spalt_texel texels[kTexelBatch];
  if (merge == SampleMerge::average) {
    average(x, y, layer, count, texels);
  } else {
    choose(x, y, layer, count, texels);
  }
  write_texels(destination, to.x + x, to.y + y, to.slice + layer, texels, count);
}

}  // namespace spalt::icd
