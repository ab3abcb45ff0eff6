// SPDX-License-Identifier: MIT
//
// What memory buffers need.
#include "commands.h"
#include "icd/object/chain.h"
#include "icd/resource/buffer.h"

namespace spalt::icd {
namespace {

/// A cache line: two buffers never share one. The alignments of all descriptors divide it.
constexpr uint64_t kBufferAlignment = 64;

VkMemoryRequirements requirements_of(uint64_t size) {
  const uint64_t rest = size % kBufferAlignment == 0 ? 0 : kBufferAlignment - size % kBufferAlignment;
  const uint64_t rounded = rest > UINT64_MAX - size ? size : size + rest;
  return {rounded, kBufferAlignment, (1u << kMemoryTypeCount) - 1};
}

void write(uint64_t size, VkMemoryRequirements2& output) {
  output.memoryRequirements = requirements_of(size);
  if (auto* dedicated =
          find_in_chain<VkMemoryDedicatedRequirements>(output.pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS)) {
    dedicated->prefersDedicatedAllocation = VK_FALSE;
    dedicated->requiresDedicatedAllocation = VK_FALSE;
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::GetBufferMemoryRequirements(VkDevice, VkBuffer buffer,
                                                              VkMemoryRequirements* pMemoryRequirements) {
  *pMemoryRequirements = requirements_of(from_handle<Buffer>(buffer).size());
}

VKAPI_ATTR void VKAPI_CALL entry::GetBufferMemoryRequirements2(VkDevice, const VkBufferMemoryRequirementsInfo2* pInfo,
                                                               VkMemoryRequirements2* pMemoryRequirements) {
  write(from_handle<Buffer>(pInfo->buffer).size(), *pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL entry::GetDeviceBufferMemoryRequirements(VkDevice,
                                                                    const VkDeviceBufferMemoryRequirements* pInfo,
                                                                    VkMemoryRequirements2* pMemoryRequirements) {
  write(pInfo->pCreateInfo->size, *pMemoryRequirements);
}

}  // namespace spalt::icd
