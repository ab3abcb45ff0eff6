// SPDX-License-Identifier: MIT
#include "icd/command/command_buffer.h"

#include "commands.h"

namespace spalt::icd {

VkResult CommandBuffer::begin(const VkCommandBufferBeginInfo&) {
  reset();
  record([this] { recording(); });  // for others to share, also while it is empty
  return error_;
}

VkResult CommandBuffer::end() {
  if (recording_ != nullptr) recording_->ended = true;
  return error_;
}

Recording& CommandBuffer::recording() {
  if (recording_ == nullptr) recording_ = std::make_shared<Recording>(pool_->chunks());
  return *recording_;
}

void CommandBuffer::reset() noexcept {
  bindings_.clear();
  graphics_bindings_.clear();
  descriptor_buffers_ = {};
  if (graphics != nullptr) graphics->clear();
  error_ = VK_SUCCESS;
  if (recording_ == nullptr) return;
  // Whoever shares it may still execute it; alone, it is used again with its memory.
  if (recording_.use_count() > 1) {
    recording_.reset();
  } else {
    recording_->clear();
  }
}

VKAPI_ATTR VkResult VKAPI_CALL entry::BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                         const VkCommandBufferBeginInfo* pBeginInfo) {
  return from_handle<CommandBuffer>(commandBuffer).begin(*pBeginInfo);
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
