// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "icd/transfer/texel_image.h"

namespace spalt::icd {

/// What samples of a texel become.
enum class SampleMerge : uint8_t {
  first,    ///< sample 0
  average,  ///< of floats
  minimum,
  maximum
};

/// Texels of several samples that become texels of one.
struct ImageResolve {
  TexelImage source, destination;
  BlockPlace from, to;  // slices: sample 0 of the first layer, and the layer
  BlockExtent extent;   // slices: layers
  uint32_t samples = 1;
  SampleMerge merge = SampleMerge::first;

  void run() const;

 private:
  void resolve_batch(uint32_t x, uint32_t y, uint32_t layer, uint32_t count) const;
  void average(uint32_t x, uint32_t y, uint32_t layer, uint32_t count, spalt_texel* texels) const;
  void choose(uint32_t x, uint32_t y, uint32_t layer, uint32_t count, spalt_texel* texels) const;
  void read_sample(uint32_t x, uint32_t y, uint32_t slice, uint32_t count, spalt_texel* texels) const;
};

}  // namespace spalt::icd
