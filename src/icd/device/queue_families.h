// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <iterator>

namespace spalt::icd {

struct QueueFamily {
  VkQueueFlags flags;
  uint32_t queues;
};

/// Programs look for compute work in another family than the first, and for uploads in one that can do nothing else, as
/// AMD's hardware has them. All queues are alike.
inline constexpr QueueFamily kQueueFamilies[] = {
    {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 2},
    {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 2},
    {VK_QUEUE_TRANSFER_BIT, 1},
};
/// Of a device with graphics; programs expect it in the first family.
inline constexpr uint32_t kGraphicsQueueFamily = 0;
inline constexpr uint32_t kQueueFamilyCount = std::size(kQueueFamilies);

}  // namespace spalt::icd
