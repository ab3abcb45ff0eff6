// SPDX-License-Identifier: MIT
#pragma once

#include "icd/device/device.h"

namespace spalt::icd {

/// A handle and no more: there are no images that shaders could sample.
class Sampler : public Object {
 public:
  using Handle = VkSampler;
};

}  // namespace spalt::icd
