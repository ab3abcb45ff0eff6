// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>

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

/// Of a format of that list.
inline bool is_blue_first(VkFormat format) {
  return std::any_of(std::begin(kPresentFormats), std::end(kPresentFormats),
                     [&](const PresentFormat& row) { return row.format == format && row.blue_first; });
}

}  // namespace spalt::icd
