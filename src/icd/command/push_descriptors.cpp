// SPDX-License-Identifier: MIT
//
// Descriptors that commands push: a table in the memory of the command buffer instead of a set.
#include "commands.h"
#include "icd/command/command_buffer.h"

namespace spalt::icd {
namespace {

/// Calls `write` with the table of that set, if the layout has one.
template <typename Write>
void push(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t set, Write&& write) {
  record(handle, [&](CommandBuffer& commands) {
    const PipelineLayoutRef& contents = from_handle<PipelineLayout>(layout).contents;
    if (set >= kMaxBoundSets || set >= contents->sets.size() || contents->sets[set] == nullptr) return;
    commands.keep(contents);
    const bool describes_images = commands.device().settings().check_layouts;
    write(commands.device(),
          commands.bindings(point).push_table(set, contents->sets[set], commands.tables(), describes_images));
  });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdPushDescriptorSetKHR(VkCommandBuffer commandBuffer,
                                                          VkPipelineBindPoint pipelineBindPoint,
                                                          VkPipelineLayout layout, uint32_t set,
                                                          uint32_t descriptorWriteCount,
                                                          const VkWriteDescriptorSet* pDescriptorWrites) {
  push(commandBuffer, pipelineBindPoint, layout, set, [&](Device& device, const DescriptorTable& table) {
    for (uint32_t i = 0; i < descriptorWriteCount; ++i) write_descriptors(device, table, pDescriptorWrites[i]);
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdPushDescriptorSetWithTemplateKHR(
    VkCommandBuffer commandBuffer, VkDescriptorUpdateTemplate descriptorUpdateTemplate, VkPipelineLayout layout,
    uint32_t set, const void* pData) {
  push(commandBuffer, template_bind_point(descriptorUpdateTemplate), layout, set,
       [&](Device& device, const DescriptorTable& table) {
         write_with_template(device, table, descriptorUpdateTemplate, pData);
       });
}

}  // namespace spalt::icd
