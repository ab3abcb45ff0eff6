// SPDX-License-Identifier: MIT
//
// Binding: what commands record without adding one to the list.
#include <cstring>

#include "commands.h"
#include "icd/command/command_buffer.h"

namespace spalt::icd {
namespace {

/// The debug name as it is now: it can change later, and end with the pipeline.
const char* copy_name(CommandBuffer& commands, const Object& object) {
  const std::lock_guard guard(commands.device().names_mutex);
  if (object.debug_name.empty()) return "";
  const size_t size = object.debug_name.size() + 1;
  return static_cast<const char*>(std::memcpy(commands.arena().allocate(size), object.debug_name.c_str(), size));
}

/// The descriptors of dynamic buffers depend on the offsets, so that each bind writes them.
uint64_t write_dynamic_descriptors(CommandBuffer& commands, const DescriptorSet& set, const uint32_t* offsets) {
  constexpr uint64_t kDescriptorBytes = 16;
  const TableMemory table = commands.tables().allocate(set.dynamic.size() * kDescriptorBytes);
  write_dynamic_table(commands.device(), set, offsets, table.host);
  return table.address;
}

void bind_sets(CommandBuffer& commands, BindingState& bindings, uint32_t first, uint32_t count,
               const VkDescriptorSet* handles, uint32_t offset_count, const uint32_t* offsets) {
  uint32_t next_offset = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const auto* set = from_nullable<DescriptorSet>(handles[i]);
    if (set == nullptr) continue;
    const auto dynamic = static_cast<uint32_t>(set->dynamic.size());
    uint64_t dynamic_address = 0;
    if (dynamic > 0 && dynamic <= offset_count - next_offset) {
      dynamic_address = write_dynamic_descriptors(commands, *set, offsets + next_offset);
      next_offset += dynamic;
    }
    bindings.bind_set(first + i, set->address, dynamic_address, set->images);
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdBindPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                                                  VkPipeline pipeline) {
  if (pipeline == VK_NULL_HANDLE) return;
  record(commandBuffer, [&](CommandBuffer& commands) {
    const auto& object = from_handle<Pipeline>(pipeline);
    commands.keep(object.program);
    commands.keep(object.layout);
    if (object.graphics != nullptr) commands.keep(object.graphics);
    auto* bound = commands.arena().allocate_array<BoundPipeline>(1);
    *bound = {object.program.get(), object.layout.get(), pipeline, copy_name(commands, object), object.graphics.get()};
    commands.bindings(pipelineBindPoint).bind_pipeline(bound);
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBindDescriptorSets(VkCommandBuffer commandBuffer,
                                                        VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout,
                                                        uint32_t firstSet, uint32_t descriptorSetCount,
                                                        const VkDescriptorSet* pDescriptorSets,
                                                        uint32_t dynamicOffsetCount, const uint32_t* pDynamicOffsets) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    bind_sets(commands, commands.bindings(pipelineBindPoint), firstSet, descriptorSetCount, pDescriptorSets,
              dynamicOffsetCount, pDynamicOffsets);
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout,
                                                   VkShaderStageFlags stageFlags, uint32_t offset, uint32_t size,
                                                   const void* pValues) {
  auto& commands = from_handle<CommandBuffer>(commandBuffer);
  if ((stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) != 0) commands.bindings().push_constants(offset, size, pValues);
  if ((stageFlags & VK_SHADER_STAGE_ALL_GRAPHICS) != 0) {
    commands.graphics_bindings().push_constants(offset, size, pValues);
  }
}

}  // namespace spalt::icd
