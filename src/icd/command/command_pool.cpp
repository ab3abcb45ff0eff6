// SPDX-License-Identifier: MIT
#include "commands.h"
#include "icd/command/command_buffer.h"

namespace spalt::icd {

CommandPool::CommandPool(Device& device, const HostMemory& memory, const VkCommandPoolCreateInfo& info)
    : device_(&device),
      queue_family_(info.queueFamilyIndex),
      memory_(memory),
      chunks_(std::make_shared<ChunkCache>(device)) {}

CommandPool::~CommandPool() {
  while (first_ != nullptr) destroy(first_);
}

CommandBuffer* CommandPool::create(VkCommandBufferLevel level) {
  auto* buffer = create_object<CommandBuffer>(memory_, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *this, level);
  buffer->next_ = first_;
  if (first_ != nullptr) first_->previous_ = buffer;
  first_ = buffer;
  return buffer;
}

void CommandPool::destroy(CommandBuffer* buffer) {
  (buffer->previous_ == nullptr ? first_ : buffer->previous_->next_) = buffer->next_;
  if (buffer->next_ != nullptr) buffer->next_->previous_ = buffer->previous_;
  destroy_object(memory_, buffer);
}

void CommandPool::reset(bool release) {
  for (CommandBuffer* buffer = first_; buffer != nullptr; buffer = buffer->next_) buffer->reset();
  if (release) trim();
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo* pCreateInfo,
                                                        const VkAllocationCallbacks* pAllocator,
                                                        VkCommandPool* pCommandPool) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    const HostMemory memory(pAllocator, owner.host_memory());
    *pCommandPool = to_handle(create_child<CommandPool>(owner, pAllocator, owner, memory, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyCommandPool(VkDevice device, VkCommandPool commandPool,
                                                     const VkAllocationCallbacks* pAllocator) {
  destroy_child<CommandPool>(from_handle<Device>(device), pAllocator, commandPool);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::ResetCommandPool(VkDevice, VkCommandPool commandPool,
                                                       VkCommandPoolResetFlags flags) {
  from_handle<CommandPool>(commandPool).reset((flags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT) != 0);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL entry::TrimCommandPool(VkDevice, VkCommandPool commandPool, VkCommandPoolTrimFlags) {
  from_handle<CommandPool>(commandPool).trim();
}

VKAPI_ATTR VkResult VKAPI_CALL entry::AllocateCommandBuffers(VkDevice, const VkCommandBufferAllocateInfo* pAllocateInfo,
                                                             VkCommandBuffer* pCommandBuffers) {
  auto& pool = from_handle<CommandPool>(pAllocateInfo->commandPool);
  uint32_t made = 0;
  const VkResult result = guarded([&] {
    for (; made < pAllocateInfo->commandBufferCount; ++made) {
      pCommandBuffers[made] = to_handle(pool.create(pAllocateInfo->level));
    }
    return VK_SUCCESS;
  });
  if (result == VK_SUCCESS) return result;
  // All or none: after an error every element is null.
  while (made > 0) pool.destroy(from_nullable<CommandBuffer>(pCommandBuffers[--made]));
  for (uint32_t i = 0; i < pAllocateInfo->commandBufferCount; ++i) pCommandBuffers[i] = VK_NULL_HANDLE;
  return result;
}

VKAPI_ATTR void VKAPI_CALL entry::FreeCommandBuffers(VkDevice, VkCommandPool commandPool, uint32_t commandBufferCount,
                                                     const VkCommandBuffer* pCommandBuffers) {
  auto& pool = from_handle<CommandPool>(commandPool);
  for (uint32_t i = 0; i < commandBufferCount; ++i) {
    if (pCommandBuffers[i] != VK_NULL_HANDLE) pool.destroy(from_nullable<CommandBuffer>(pCommandBuffers[i]));
  }
}

}  // namespace spalt::icd
