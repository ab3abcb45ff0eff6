// SPDX-License-Identifier: MIT
//
// Memory of a Vulkan device, and buffers in memory that the host sees.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>

namespace spalt::vkrun {

/// Throws Error naming the call unless `result` is VK_SUCCESS.
void check_vulkan(VkResult result, const char* call);

/// Handles that somebody else owns.
struct VulkanHandles {
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
};

/// Allocates memory of a type with these properties; throws Error when there is none.
VkDeviceMemory allocate_memory(const VulkanHandles& handles, const VkMemoryRequirements& requirements,
                               VkMemoryPropertyFlags properties, VkMemoryAllocateFlags flags = 0);

/// A buffer in mapped memory; destroy() gives it back.
struct HostBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;
  VkDeviceAddress address = 0;  ///< if `usage` asks for one

  void create(const VulkanHandles& handles, size_t size, VkBufferUsageFlags usage);
  void destroy(VkDevice device) const;
};

}  // namespace spalt::vkrun
