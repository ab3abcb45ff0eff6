// SPDX-License-Identifier: MIT
#pragma once

#include "icd/transfer/texel_image.h"

namespace spalt::icd {

/// A box of texels that is scaled, mirrored and converted into another. Of images that are not 3D, `first_slice` is the
/// first layer, and the boxes are one texel deep.
struct BlitSide {
  TexelImage image;
  uint32_t first_slice = 0;
  uint32_t depth = 1;  // slices that the box can reach from the first one: those of a 3D image
  VkOffset3D corners[2]{};
};

struct ImageBlit {
  BlitSide source, destination;
  uint32_t layers = 1;
  bool linear = false;

  void run() const;
};

}  // namespace spalt::icd
