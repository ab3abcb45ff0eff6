// SPDX-License-Identifier: MIT
//
// Tables that applications keep in their own buffers are bound by address; a set of embedded samplers has none, so that
// the command buffer makes it one.
#include <algorithm>

#include "commands.h"
#include "icd/command/command_buffer.h"

namespace spalt::icd {

VKAPI_ATTR void VKAPI_CALL entry::CmdBindDescriptorBuffersEXT(VkCommandBuffer commandBuffer, uint32_t bufferCount,
                                                              const VkDescriptorBufferBindingInfoEXT* pBindingInfos) {
  DescriptorBuffers& buffers = from_handle<CommandBuffer>(commandBuffer).descriptor_buffers();
  buffers = {};
  for (uint32_t i = 0; i < std::min<uint32_t>(bufferCount, buffers.size()); ++i) buffers[i] = pBindingInfos[i].address;
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDescriptorBufferOffsetsEXT(VkCommandBuffer commandBuffer,
                                                                   VkPipelineBindPoint pipelineBindPoint,
                                                                   VkPipelineLayout, uint32_t firstSet,
                                                                   uint32_t setCount, const uint32_t* pBufferIndices,
                                                                   const VkDeviceSize* pOffsets) {
  auto& commands = from_handle<CommandBuffer>(commandBuffer);
  const DescriptorBuffers& buffers = commands.descriptor_buffers();
  for (uint32_t i = 0; i < setCount; ++i) {
    if (pBufferIndices[i] >= buffers.size()) continue;
    commands.bindings(pipelineBindPoint).bind_set(firstSet + i, buffers[pBufferIndices[i]] + pOffsets[i], 0, nullptr);
  }
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBindDescriptorBufferEmbeddedSamplersEXT(VkCommandBuffer commandBuffer,
                                                                             VkPipelineBindPoint pipelineBindPoint,
                                                                             VkPipelineLayout layout, uint32_t set) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    const PipelineLayoutContents& contents = *from_handle<PipelineLayout>(layout).contents;
    if (set >= contents.sets.size() || contents.sets[set] == nullptr) return;
    const SetLayoutContents& samplers = *contents.sets[set];
    const TableMemory table = commands.tables().allocate(samplers.table_bytes);
    samplers.write_immutable_samplers(table.host, samplers.table_bytes);
    commands.bindings(pipelineBindPoint).bind_set(set, table.address, 0, nullptr);
  });
}

}  // namespace spalt::icd
