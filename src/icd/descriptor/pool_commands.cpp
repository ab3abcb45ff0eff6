// SPDX-License-Identifier: MIT
#include <algorithm>

#include "commands.h"
#include "icd/descriptor/descriptor_pool.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

/// Count of the variable binding of each set; 0 where the application says nothing.
class VariableCounts {
 public:
  explicit VariableCounts(const VkDescriptorSetAllocateInfo& info)
      : counts_(find_in_chain<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
            info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO)) {}
  uint32_t of_set(uint32_t index) const {
    return counts_ != nullptr && index < counts_->descriptorSetCount ? counts_->pDescriptorCounts[index] : 0;
  }

 private:
  const VkDescriptorSetVariableDescriptorCountAllocateInfo* counts_;
};

void free_sets(DescriptorPool& pool, uint32_t count, const VkDescriptorSet* sets) {
  for (uint32_t i = 0; i < count; ++i) {
    if (sets[i] != VK_NULL_HANDLE) pool.free(from_nullable<DescriptorSet>(sets[i]));
  }
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateDescriptorPool(VkDevice device,
                                                           const VkDescriptorPoolCreateInfo* pCreateInfo,
                                                           const VkAllocationCallbacks* pAllocator,
                                                           VkDescriptorPool* pDescriptorPool) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    const HostMemory memory(pAllocator, owner.host_memory());
    *pDescriptorPool = to_handle(create_child<DescriptorPool>(owner, pAllocator, owner, *pCreateInfo, memory));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyDescriptorPool(VkDevice device, VkDescriptorPool descriptorPool,
                                                        const VkAllocationCallbacks* pAllocator) {
  destroy_child<DescriptorPool>(from_handle<Device>(device), pAllocator, descriptorPool);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::ResetDescriptorPool(VkDevice, VkDescriptorPool descriptorPool,
                                                          VkDescriptorPoolResetFlags) {
  from_handle<DescriptorPool>(descriptorPool).reset();
  return VK_SUCCESS;
}

/// All sets or none: after a failure every handle is null.
VKAPI_ATTR VkResult VKAPI_CALL entry::AllocateDescriptorSets(VkDevice, const VkDescriptorSetAllocateInfo* pAllocateInfo,
                                                             VkDescriptorSet* pDescriptorSets) {
  auto& pool = from_handle<DescriptorPool>(pAllocateInfo->descriptorPool);
  const uint32_t count = pAllocateInfo->descriptorSetCount;
  std::fill_n(pDescriptorSets, count, VkDescriptorSet{VK_NULL_HANDLE});
  const VkResult result = guarded([&] {
    const VariableCounts variable_counts(*pAllocateInfo);
    for (uint32_t i = 0; i < count; ++i) {
      const auto& layout = from_handle<DescriptorSetLayout>(pAllocateInfo->pSetLayouts[i]);
      pDescriptorSets[i] = to_handle(pool.allocate(layout.contents, variable_counts.of_set(i)));
    }
    return VK_SUCCESS;
  });
  if (result == VK_SUCCESS) return VK_SUCCESS;
  free_sets(pool, count, pDescriptorSets);
  std::fill_n(pDescriptorSets, count, VkDescriptorSet{VK_NULL_HANDLE});
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::FreeDescriptorSets(VkDevice, VkDescriptorPool descriptorPool,
                                                         uint32_t descriptorSetCount,
                                                         const VkDescriptorSet* pDescriptorSets) {
  free_sets(from_handle<DescriptorPool>(descriptorPool), descriptorSetCount, pDescriptorSets);
  return VK_SUCCESS;
}

}  // namespace spalt::icd
