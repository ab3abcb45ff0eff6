// SPDX-License-Identifier: MIT
//
// What memory buffers and images need.
#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "icd/resource/buffer.h"
#include "icd/resource/image.h"

namespace spalt::icd {
namespace {

/// A cache line: two buffers never share one. The alignments of all descriptors divide it.
constexpr uint64_t kBufferAlignment = 64;

VkMemoryRequirements buffer_requirements(VkDevice device, uint64_t size) {
  const uint64_t rest = size % kBufferAlignment == 0 ? 0 : kBufferAlignment - size % kBufferAlignment;
  const uint64_t rounded = rest > UINT64_MAX - size ? size : size + rest;
  return {rounded, kBufferAlignment, from_handle<Device>(device).physical().all_memory_types()};
}

VkMemoryRequirements image_requirements(VkDevice device, const Image& image) {
  return {image.bytes(), image.alignment(), from_handle<Device>(device).physical().all_memory_types()};
}

/// Of an image that is not made. What cannot be made needs memory of no type.
VkMemoryRequirements image_requirements(VkDevice device, const VkImageCreateInfo& info) {
  VkMemoryRequirements requirements{0, 1, 0};
  guarded([&] {
    requirements = image_requirements(device, Image(from_handle<Device>(device), info));
    return VK_SUCCESS;
  });
  return requirements;
}

void write(const VkMemoryRequirements& requirements, VkMemoryRequirements2& output) {
  output.memoryRequirements = requirements;
  if (auto* dedicated =
          find_in_chain<VkMemoryDedicatedRequirements>(output.pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS)) {
    dedicated->prefersDedicatedAllocation = VK_FALSE;
    dedicated->requiresDedicatedAllocation = VK_FALSE;
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                              VkMemoryRequirements* pMemoryRequirements) {
  *pMemoryRequirements = buffer_requirements(device, from_handle<Buffer>(buffer).size());
}

VKAPI_ATTR void VKAPI_CALL entry::GetBufferMemoryRequirements2(VkDevice device,
                                                               const VkBufferMemoryRequirementsInfo2* pInfo,
                                                               VkMemoryRequirements2* pMemoryRequirements) {
  write(buffer_requirements(device, from_handle<Buffer>(pInfo->buffer).size()), *pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL entry::GetDeviceBufferMemoryRequirements(VkDevice device,
                                                                    const VkDeviceBufferMemoryRequirements* pInfo,
                                                                    VkMemoryRequirements2* pMemoryRequirements) {
  write(buffer_requirements(device, pInfo->pCreateInfo->size), *pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL entry::GetImageMemoryRequirements(VkDevice device, VkImage image,
                                                             VkMemoryRequirements* pMemoryRequirements) {
  *pMemoryRequirements = image_requirements(device, from_handle<Image>(image));
}

VKAPI_ATTR void VKAPI_CALL entry::GetImageMemoryRequirements2(VkDevice device,
                                                              const VkImageMemoryRequirementsInfo2* pInfo,
                                                              VkMemoryRequirements2* pMemoryRequirements) {
  write(image_requirements(device, from_handle<Image>(pInfo->image)), *pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL entry::GetDeviceImageMemoryRequirements(VkDevice device,
                                                                   const VkDeviceImageMemoryRequirements* pInfo,
                                                                   VkMemoryRequirements2* pMemoryRequirements) {
  write(image_requirements(device, *pInfo->pCreateInfo), *pMemoryRequirements);
}

// No image is sparse.

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

}  // namespace spalt::icd
