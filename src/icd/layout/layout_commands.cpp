// SPDX-License-Identifier: MIT
#include "commands.h"
#include "icd/layout/pipeline_layout.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

/// What the last binding could have if the others stay as they are.
uint32_t largest_variable_count(const VkDescriptorSetLayoutCreateInfo& info) {
  const SetLayoutContents contents = make_set_layout(info);
  const SetBinding* variable = contents.variable();
  if (variable == nullptr) return 0;
  if (variable->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return kMaxInlineUniformBlockBytes;
  uint32_t left = kMaxSetDescriptors + variable->count;
  for (const SetBinding& binding : contents.bindings) left -= binding.descriptors();
  return left;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateDescriptorSetLayout(VkDevice device,
                                                                const VkDescriptorSetLayoutCreateInfo* pCreateInfo,
                                                                const VkAllocationCallbacks* pAllocator,
                                                                VkDescriptorSetLayout* pSetLayout) {
  return guarded([&] {
    *pSetLayout = to_handle(create_child<DescriptorSetLayout>(from_handle<Device>(device), pAllocator, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyDescriptorSetLayout(VkDevice device, VkDescriptorSetLayout descriptorSetLayout,
                                                             const VkAllocationCallbacks* pAllocator) {
  destroy_child<DescriptorSetLayout>(from_handle<Device>(device), pAllocator, descriptorSetLayout);
}

VKAPI_ATTR void VKAPI_CALL entry::GetDescriptorSetLayoutSupport(VkDevice,
                                                                const VkDescriptorSetLayoutCreateInfo* pCreateInfo,
                                                                VkDescriptorSetLayoutSupport* pSupport) {
  uint32_t variable_count = 0;
  const VkResult result = guarded([&] {
    variable_count = largest_variable_count(*pCreateInfo);
    return VK_SUCCESS;
  });
  pSupport->supported = result == VK_SUCCESS ? VK_TRUE : VK_FALSE;
  if (auto* variable = find_in_chain<VkDescriptorSetVariableDescriptorCountLayoutSupport>(
          pSupport->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT)) {
    variable->maxVariableDescriptorCount = variable_count;
  }
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreatePipelineLayout(VkDevice device,
                                                           const VkPipelineLayoutCreateInfo* pCreateInfo,
                                                           const VkAllocationCallbacks* pAllocator,
                                                           VkPipelineLayout* pPipelineLayout) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    const bool prints = owner.printf_log() != nullptr;
    *pPipelineLayout = to_handle(create_child<PipelineLayout>(owner, pAllocator, *pCreateInfo, prints));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyPipelineLayout(VkDevice device, VkPipelineLayout pipelineLayout,
                                                        const VkAllocationCallbacks* pAllocator) {
  destroy_child<PipelineLayout>(from_handle<Device>(device), pAllocator, pipelineLayout);
}

}  // namespace spalt::icd
