// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan.h>

namespace spalt::icd {

/// Equal ones. Programs look for compute work in another family than the first, as AMD's hardware has it.
inline constexpr uint32_t kQueueFamilies = 2;
inline constexpr uint32_t kQueuesOfFamily = 2;
inline constexpr VkQueueFlags kFlagsOfFamily = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;

}  // namespace spalt::icd
