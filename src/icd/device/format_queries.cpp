// SPDX-License-Identifier: MIT
//
// Questions about formats.
#include "commands.h"
#include "icd/device/format_features.h"
#include "icd/device/instance.h"
#include "icd/device/physical_device.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

constexpr VkExternalMemoryHandleTypeFlags kHostPointers =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT |
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT;

FormatFeatures features_of(VkPhysicalDevice handle, VkFormat format) {
  const auto& device = from_handle<PhysicalDevice>(handle);
  return format_features(device.compiler(), device.target(), device.instance().settings().graphics, format);
}

VkFormatProperties core_properties(const FormatFeatures& features) {
  return {without_second_word(features.linear), without_second_word(features.optimal),
          without_second_word(features.buffer)};
}

bool write_image_properties(VkPhysicalDevice handle, const ImageKind& kind, VkImageFormatProperties& properties) {
  const VkPhysicalDeviceLimits& limits = from_handle<PhysicalDevice>(handle).properties().core.limits;
  return image_format_properties(features_of(handle, kind.format), kind, limits, properties);
}

/// Memory of the application can be imported, no other.
bool write_external_properties(const VkPhysicalDeviceImageFormatInfo2& info, VkImageFormatProperties2& output) {
  const auto* wanted = find_in_chain<VkPhysicalDeviceExternalImageFormatInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
  if (wanted == nullptr || wanted->handleType == 0) return true;
  if ((wanted->handleType & kHostPointers) == 0) return false;
  if (auto* external = find_in_chain<VkExternalImageFormatProperties>(
          output.pNext, VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES)) {
    external->externalMemoryProperties = {VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT, 0,
                                          static_cast<VkExternalMemoryHandleTypeFlags>(wanted->handleType)};
  }
  return true;
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                    VkFormatProperties* pFormatProperties) {
  *pFormatProperties = core_properties(features_of(physicalDevice, format));
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                     VkFormatProperties2* pFormatProperties) {
  const FormatFeatures features = features_of(physicalDevice, format);
  pFormatProperties->formatProperties = core_properties(features);
  if (auto* wide =
          find_in_chain<VkFormatProperties3>(pFormatProperties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3)) {
    wide->linearTilingFeatures = features.linear;
    wide->optimalTilingFeatures = features.optimal;
    wide->bufferFeatures = features.buffer;
  }
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceImageFormatProperties(
    VkPhysicalDevice physicalDevice, VkFormat format, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage,
    VkImageCreateFlags flags, VkImageFormatProperties* pImageFormatProperties) {
  const bool there =
      write_image_properties(physicalDevice, {format, type, tiling, usage, flags}, *pImageFormatProperties);
  return there ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceImageFormatProperties2(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceImageFormatInfo2* pImageFormatInfo,
    VkImageFormatProperties2* pImageFormatProperties) {
  const VkPhysicalDeviceImageFormatInfo2& info = *pImageFormatInfo;
  ImageKind kind{info.format, info.type, info.tiling, info.usage, info.flags};
  if (const auto* stencil =
          find_in_chain<VkImageStencilUsageCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO)) {
    kind.usage |= stencil->stencilUsage;
  }
  VkImageFormatProperties& properties = pImageFormatProperties->imageFormatProperties;
  if (!write_image_properties(physicalDevice, kind, properties) ||
      !write_external_properties(info, *pImageFormatProperties)) {
    properties = {};
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  }
  if (auto* conversion = find_in_chain<VkSamplerYcbcrConversionImageFormatProperties>(
          pImageFormatProperties->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES)) {
    conversion->combinedImageSamplerDescriptorCount = 1;
  }
  return VK_SUCCESS;
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
