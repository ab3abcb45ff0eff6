// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "icd/resource/device_memory.h"

namespace spalt::icd {

/// The part of a swapchain that images of the application can be bound to (VkBindImageMemorySwapchainInfoKHR).
class SwapchainMemory : public Object {
 public:
  using Handle = VkSwapchainKHR;

  uint32_t image_count() const { return static_cast<uint32_t>(memories_.size()); }
  const DeviceMemory& memory(uint32_t image) const { return *memories_[image]; }

 protected:
  std::vector<std::unique_ptr<const DeviceMemory>> memories_;  // of the images
};

}  // namespace spalt::icd
