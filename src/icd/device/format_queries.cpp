// SPDX-License-Identifier: MIT
//
// Formats. There are no images yet: every question about one is answered with "not supported". Texel buffers are there
// where the compiler takes them.
#include "commands.h"
#include "icd/device/capabilities.h"
#include "icd/device/physical_device.h"
#include "icd/object/chain.h"

namespace spalt::icd {

VkFormatProperties format_properties(VkFormat, const spalt_target_info&) {
  return {};
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                    VkFormatProperties* pFormatProperties) {
  *pFormatProperties = format_properties(format, from_handle<PhysicalDevice>(physicalDevice).target());
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                     VkFormatProperties2* pFormatProperties) {
  const VkFormatProperties properties = format_properties(format, from_handle<PhysicalDevice>(physicalDevice).target());
  pFormatProperties->formatProperties = properties;
  if (auto* wide =
          find_in_chain<VkFormatProperties3>(pFormatProperties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3)) {
    wide->linearTilingFeatures = properties.linearTilingFeatures;
    wide->optimalTilingFeatures = properties.optimalTilingFeatures;
    wide->bufferFeatures = properties.bufferFeatures;
  }
}

VKAPI_ATTR VkResult VKAPI_CALL
entry::GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice, VkFormat, VkImageType, VkImageTiling, VkImageUsageFlags,
                                              VkImageCreateFlags, VkImageFormatProperties* pImageFormatProperties) {
  *pImageFormatProperties = {};
  return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceImageFormatProperties2(
    VkPhysicalDevice, const VkPhysicalDeviceImageFormatInfo2*, VkImageFormatProperties2* pImageFormatProperties) {
  pImageFormatProperties->imageFormatProperties = {};
  return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice, VkFormat, VkImageType,
                                                                               VkSampleCountFlagBits, VkImageUsageFlags,
                                                                               VkImageTiling, uint32_t* pPropertyCount,
                                                                               VkSparseImageFormatProperties*) {
  *pPropertyCount = 0;
}

VKAPI_ATTR void VKAPI_CALL
entry::GetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice, const VkPhysicalDeviceSparseImageFormatInfo2*,
                                                     uint32_t* pPropertyCount, VkSparseImageFormatProperties2*) {
  *pPropertyCount = 0;
}

}  // namespace spalt::icd
