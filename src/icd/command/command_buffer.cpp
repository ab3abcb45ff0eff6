// SPDX-License-Identifier: MIT
#include "icd/command/command_buffer.h"

#include "commands.h"

namespace spalt::icd {

void CommandBuffer::begin(const VkCommandBufferBeginInfo&) {
  reset();
}

VkResult CommandBuffer::end() {
  return error_;
}

void CommandBuffer::reset() noexcept {
  list_.clear();
  bindings_.clear();
  arena_.clear();
  tables_.clear();
  kept_.clear();
  error_ = VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                         const VkCommandBufferBeginInfo* pBeginInfo) {
  from_handle<CommandBuffer>(commandBuffer).begin(*pBeginInfo);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::EndCommandBuffer(VkCommandBuffer commandBuffer) {
  return from_handle<CommandBuffer>(commandBuffer).end();
}

VKAPI_ATTR VkResult VKAPI_CALL entry::ResetCommandBuffer(VkCommandBuffer commandBuffer,
                                                         VkCommandBufferResetFlags flags) {
  auto& commands = from_handle<CommandBuffer>(commandBuffer);
  commands.reset();
  if ((flags & VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT) != 0) commands.pool().trim();
  return VK_SUCCESS;
}

}  // namespace spalt::icd
