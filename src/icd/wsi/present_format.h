// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan.h>

namespace spalt::icd {

/// What can be presented, and in which order its components are.
struct PresentFormat {
  VkFormat format;
  bool blue_first;
};
inline constexpr PresentFormat kPresentFormats[] = {
    {VK_FORMAT_B8G8R8A8_UNORM, true},
    {VK_FORMAT_B8G8R8A8_SRGB, true},
    {VK_FORMAT_R8G8B8A8_UNORM, false},
    {VK_FORMAT_R8G8B8A8_SRGB, false},
};

}  // namespace spalt::icd
