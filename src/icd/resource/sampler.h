// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "icd/device/device.h"

namespace spalt::icd {

using SamplerWords = std::array<uint32_t, 4>;

/// The bits of its descriptor, made once.
class Sampler : public Object {
 public:
  using Handle = VkSampler;
  Sampler(Device& device, const VkSamplerCreateInfo& info);

  const SamplerWords& words() const { return words_; }

 private:
  SamplerWords words_{};
  BorderPlace border_;
};

}  // namespace spalt::icd
