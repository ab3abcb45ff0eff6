// SPDX-License-Identifier: MIT
//
// Whether results of devices are within what Vulkan allows around the specification in double precision.
#pragma once

#include <string>

#include "candidates.h"

namespace spalt::sampling {

/// What one device made of a case.
struct DeviceResults {
  std::string label;
  std::vector<uint8_t> bytes;
  /// Of others texels without a filter must be right to the last bit; lavapipe rounds some as they are converted.
  bool is_lavapipe = false;
};

struct Verdict {
  size_t results = 0;
  size_t wrong = 0;
  double worst = 0.0;  // distance from what is allowed, over all results
  std::string first;   // of the wrong ones
};

/// One for each device.
std::vector<Verdict> judge(const Case& test, const std::vector<DeviceResults>& devices, const Allowance& allowance);

}  // namespace spalt::sampling
