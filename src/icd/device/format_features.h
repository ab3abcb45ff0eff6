// SPDX-License-Identifier: MIT
//
// What formats can be used for on a target: what its texture unit can do (spalt_query_format_uses), as far as shaders
// can ask for it, and what the driver does on the host, which is every transfer.
#pragma once

#include <vulkan/vulkan.h>

#include "spalt/descriptor.h"
#include "spalt/spalt.hpp"
#include "spalt/texel.h"

namespace spalt::icd {

struct FormatFeatures {
  VkFormatFeatureFlags2 linear = 0, optimal = 0, buffer = 0;
};
/// `graphics`: of a device that draws.
FormatFeatures format_features(const spalt_api::Compiler& compiler, const spalt_target_info& target, bool graphics,
                               VkFormat format);

/// The bits that VkFormatProperties has.
VkFormatFeatureFlags without_second_word(VkFormatFeatureFlags2 features);

/// False: there are no such images, and the properties are zero. Flags and usage as in VkImageCreateInfo.
struct ImageKind {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageType type = VK_IMAGE_TYPE_2D;
  VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL;
  VkImageUsageFlags usage = 0;
  VkImageCreateFlags flags = 0;
};
bool image_format_properties(const FormatFeatures& features, const ImageKind& kind,
                             const VkPhysicalDeviceLimits& limits, VkImageFormatProperties& properties);

}  // namespace spalt::icd
