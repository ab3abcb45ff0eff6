// SPDX-License-Identifier: MIT
#include "vulkan_memory.h"

#include <string>

#include "manifest.h"

namespace spalt::vkrun {

void check_vulkan(VkResult result, const char* call) {
  if (result != VK_SUCCESS) throw Error(std::string(call) + " failed with code " + std::to_string(result));
}

VkDeviceMemory allocate_memory(const VulkanHandles& handles, const VkMemoryRequirements& requirements,
                               VkMemoryPropertyFlags properties, VkMemoryAllocateFlags flags) {
  VkPhysicalDeviceMemoryProperties types{};
  vkGetPhysicalDeviceMemoryProperties(handles.physical_device, &types);
  for (uint32_t i = 0; i < types.memoryTypeCount; ++i) {
    const bool allowed = (requirements.memoryTypeBits >> i & 1) != 0;
    if (!allowed || (types.memoryTypes[i].propertyFlags & properties) != properties) continue;
    VkMemoryAllocateFlagsInfo flags_info{};
    flags_info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags_info.flags = flags;
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.pNext = flags != 0 ? &flags_info : nullptr;
    info.allocationSize = requirements.size;
    info.memoryTypeIndex = i;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check_vulkan(vkAllocateMemory(handles.device, &info, nullptr, &memory), "vkAllocateMemory");
    return memory;
  }
  throw Error("the Vulkan device has no memory with the properties that are needed");
}

void HostBuffer::create(const VulkanHandles& handles, size_t size, VkBufferUsageFlags usage) {
  const bool has_address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = usage;
  check_vulkan(vkCreateBuffer(handles.device, &info, nullptr, &buffer), "vkCreateBuffer");
  VkMemoryRequirements requirements{};
  vkGetBufferMemoryRequirements(handles.device, buffer, &requirements);
  // Mapped without flushes.
  memory =
      allocate_memory(handles, requirements, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                      has_address ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0);
  check_vulkan(vkBindBufferMemory(handles.device, buffer, memory, 0), "vkBindBufferMemory");
  check_vulkan(vkMapMemory(handles.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  if (!has_address) return;
  VkBufferDeviceAddressInfo address_info{};
  address_info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  address_info.buffer = buffer;
  address = vkGetBufferDeviceAddress(handles.device, &address_info);
}

void HostBuffer::destroy(VkDevice device) const {
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
}

}  // namespace spalt::vkrun
