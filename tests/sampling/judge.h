// SPDX-License-Identifier: MIT
//
// Whether a device's results are within what Vulkan allows around the specification in double precision.
#pragma once

#include <optional>
#include <string>

#include "sampling_case.h"

namespace spalt::sampling {

/// How far a device may move what it computes with, beyond the rounding of floats.
struct Allowance {
  double texel = 0x1p-8;    // of coordinates: subTexelPrecisionBits
  double lod = 0x1p-8;      // of levels of detail that the shader gives: mipmapPrecisionBits
  double footprint = 0.05;  // of those from gradients: the logarithm
};

struct Verdict {
  size_t results = 0;
  size_t wrong = 0;
  double worst = 0.0;  // distance from what is allowed, over all results
  std::string first;   // of the wrong ones
};

Verdict judge(const Case& test, const std::vector<uint8_t>& results, const Allowance& allowance);

}  // namespace spalt::sampling
