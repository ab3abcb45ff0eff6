// SPDX-License-Identifier: MIT
//
// Images are not there: creating one fails, and what asks about one, which nobody can have, gets nothing.
#include "commands.h"

namespace spalt::icd {
namespace {

/// Of no memory type; the alignment is one that can be divided by.
constexpr VkMemoryRequirements kNoMemory{0, 1, 0};

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateImage(VkDevice, const VkImageCreateInfo*, const VkAllocationCallbacks*,
                                                  VkImage* pImage) {
  *pImage = VK_NULL_HANDLE;
  return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyImage(VkDevice, VkImage, const VkAllocationCallbacks*) {}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateImageView(VkDevice, const VkImageViewCreateInfo*,
                                                      const VkAllocationCallbacks*, VkImageView* pView) {
  *pView = VK_NULL_HANDLE;
  return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyImageView(VkDevice, VkImageView, const VkAllocationCallbacks*) {}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateSamplerYcbcrConversion(VkDevice, const VkSamplerYcbcrConversionCreateInfo*,
                                                                   const VkAllocationCallbacks*,
                                                                   VkSamplerYcbcrConversion* pYcbcrConversion) {
  *pYcbcrConversion = VK_NULL_HANDLE;
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

VKAPI_ATTR void VKAPI_CALL entry::DestroySamplerYcbcrConversion(VkDevice, VkSamplerYcbcrConversion,
                                                                const VkAllocationCallbacks*) {}

VKAPI_ATTR VkResult VKAPI_CALL entry::BindImageMemory(VkDevice, VkImage, VkDeviceMemory, VkDeviceSize) {
  return VK_ERROR_UNKNOWN;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::BindImageMemory2(VkDevice, uint32_t, const VkBindImageMemoryInfo*) {
  return VK_ERROR_UNKNOWN;
}

VKAPI_ATTR void VKAPI_CALL entry::GetImageMemoryRequirements(VkDevice, VkImage,
                                                             VkMemoryRequirements* pMemoryRequirements) {
  *pMemoryRequirements = kNoMemory;
}

VKAPI_ATTR void VKAPI_CALL entry::GetImageMemoryRequirements2(VkDevice, const VkImageMemoryRequirementsInfo2*,
                                                              VkMemoryRequirements2* pMemoryRequirements) {
  pMemoryRequirements->memoryRequirements = kNoMemory;
}

VKAPI_ATTR void VKAPI_CALL entry::GetDeviceImageMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements*,
                                                                   VkMemoryRequirements2* pMemoryRequirements) {
  pMemoryRequirements->memoryRequirements = kNoMemory;
}

VKAPI_ATTR void VKAPI_CALL entry::GetImageSparseMemoryRequirements(VkDevice, VkImage,
                                                                   uint32_t* pSparseMemoryRequirementCount,
                                                                   VkSparseImageMemoryRequirements*) {
  *pSparseMemoryRequirementCount = 0;
}

VKAPI_ATTR void VKAPI_CALL entry::GetImageSparseMemoryRequirements2(VkDevice,
                                                                    const VkImageSparseMemoryRequirementsInfo2*,
                                                                    uint32_t* pSparseMemoryRequirementCount,
                                                                    VkSparseImageMemoryRequirements2*) {
  *pSparseMemoryRequirementCount = 0;
}

VKAPI_ATTR void VKAPI_CALL entry::GetDeviceImageSparseMemoryRequirements(VkDevice,
                                                                         const VkDeviceImageMemoryRequirements*,
                                                                         uint32_t* pSparseMemoryRequirementCount,
                                                                         VkSparseImageMemoryRequirements2*) {
  *pSparseMemoryRequirementCount = 0;
}

VKAPI_ATTR void VKAPI_CALL entry::GetImageSubresourceLayout(VkDevice, VkImage, const VkImageSubresource*,
                                                            VkSubresourceLayout* pLayout) {
  *pLayout = {};
}

}  // namespace spalt::icd
