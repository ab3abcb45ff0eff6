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

VkMemoryRequirements requirements_of(VkDevice device, uint64_t size) {
  const uint64_t rest = size % kBufferAlignment == 0 ? 0 : kBufferAlignment - size % kBufferAlignment;
  const uint64_t rounded = rest > UINT64_MAX - size ? size : size + rest;
  return {rounded, kBufferAlignment, from_handle<Device>(device).physical().all_memory_types()};
}

void write(VkDevice device, uint64_t size, VkMemoryRequirements2& output) {
  output.memoryRequirements = requirements_of(device, size);
  if (auto* dedicated =
          find_in_chain<VkMemoryDedicatedRequirements>(output.pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS)) {
    dedicated->prefersDedicatedAllocation = VK_FALSE;
    dedicated->requiresDedicatedAllocation = VK_FALSE;
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                              VkMemoryRequirements* pMemoryRequirements) {
  *pMemoryRequirements = requirements_of(device, from_handle<Buffer>(buffer).size());
}

VKAPI_ATTR void VKAPI_CALL entry::GetBufferMemoryRequirements2(VkDevice device,
                                                               const VkBufferMemoryRequirementsInfo2* pInfo,
                                                               VkMemoryRequirements2* pMemoryRequirements) {
  write(device, from_handle<Buffer>(pInfo->buffer).size(), *pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL entry::GetDeviceBufferMemoryRequirements(VkDevice device,
                                                                    const VkDeviceBufferMemoryRequirements* pInfo,
                                                                    VkMemoryRequirements2* pMemoryRequirements) {
  write(device, pInfo->pCreateInfo->size, *pMemoryRequirements);
}

}  // namespace spalt::icd
