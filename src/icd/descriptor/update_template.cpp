// SPDX-License-Identifier: MIT
//
// Update templates: where in a struct of the application the descriptors are. The set, or the layout of push
// descriptors, comes with each use.
#include <vector>

#include "commands.h"
#include "icd/descriptor/element_writer.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

class DescriptorUpdateTemplate : public Object {
 public:
  using Handle = VkDescriptorUpdateTemplate;
  explicit DescriptorUpdateTemplate(const VkDescriptorUpdateTemplateCreateInfo& info)
      : bind_point(info.pipelineBindPoint),
        entries(info.pDescriptorUpdateEntries, info.pDescriptorUpdateEntries + info.descriptorUpdateEntryCount) {}
  const VkPipelineBindPoint bind_point;  // of push descriptors
  const std::vector<VkDescriptorUpdateTemplateEntry> entries;
};

}  // namespace

void write_with_template(const Device& device, const DescriptorTable& table, VkDescriptorUpdateTemplate handle,
                         const void* data) {
  for (const VkDescriptorUpdateTemplateEntry& entry : from_handle<DescriptorUpdateTemplate>(handle).entries) {
    const ElementSource source{static_cast<const std::byte*>(data) + entry.offset, entry.stride};
    write_elements(device, table, entry.descriptorType, entry.dstBinding, entry.dstArrayElement, entry.descriptorCount,
                   source);
  }
}

VkPipelineBindPoint template_bind_point(VkDescriptorUpdateTemplate handle) {
  return from_handle<DescriptorUpdateTemplate>(handle).bind_point;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateDescriptorUpdateTemplate(
    VkDevice device, const VkDescriptorUpdateTemplateCreateInfo* pCreateInfo, const VkAllocationCallbacks* pAllocator,
    VkDescriptorUpdateTemplate* pDescriptorUpdateTemplate) {
  return guarded([&] {
    *pDescriptorUpdateTemplate =
        to_handle(create_child<DescriptorUpdateTemplate>(from_handle<Device>(device), pAllocator, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyDescriptorUpdateTemplate(VkDevice device,
                                                                  VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                                  const VkAllocationCallbacks* pAllocator) {
  destroy_child<DescriptorUpdateTemplate>(from_handle<Device>(device), pAllocator, descriptorUpdateTemplate);
}

VKAPI_ATTR void VKAPI_CALL entry::UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet descriptorSet,
                                                                  VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                                  const void* pData) {
  write_with_template(from_handle<Device>(device), from_handle<DescriptorSet>(descriptorSet).table(),
                      descriptorUpdateTemplate, pData);
}

}  // namespace spalt::icd
