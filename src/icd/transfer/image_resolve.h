// SPDX-License-Identifier: MIT
#pragma once

#include "icd/transfer/texel_image.h"

namespace spalt::icd {

/// Texels of several samples that become texels of one: the mean of floats, sample 0 of integers, depth and stencil.
struct ImageResolve {
  TexelImage source, destination;
  BlockPlace from, to;  // slices: sample 0 of the first layer, and the layer
  BlockExtent extent;   // slices: layers
  uint32_t samples = 1;
  bool average = false;

  void run() const;

 private:
  void resolve_batch(uint32_t x, uint32_t y, uint32_t layer, uint32_t count) const;
};

}  // namespace spalt::icd
