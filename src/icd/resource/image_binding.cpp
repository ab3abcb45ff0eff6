// SPDX-License-Identifier: MIT
//
// Binding images to memory.
#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "icd/resource/address_report.h"
#include "icd/resource/image.h"
#include "icd/resource/swapchain_memory.h"

namespace spalt::icd {
namespace {

void bind(Device& device, VkImage handle, const DeviceMemory& memory, uint64_t offset) {
  auto& image = from_handle<Image>(handle);
  image.bind(device, memory, offset);
  report_binding(device, image.binding().owner(), VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
}

void bind(Device& device, const VkBindImageMemoryInfo& info) {
  if (info.memory != VK_NULL_HANDLE) {
    bind(device, info.image, from_handle<DeviceMemory>(info.memory), info.memoryOffset);
    return;
  }
  const auto* present = find_in_chain<VkBindImageMemorySwapchainInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
  if (present == nullptr || present->swapchain == VK_NULL_HANDLE) throw VulkanError{VK_ERROR_UNKNOWN};
  bind(device, info.image, from_handle<SwapchainMemory>(present->swapchain).memory(present->imageIndex), 0);
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::BindImageMemory(VkDevice device, VkImage image, VkDeviceMemory memory,
                                                      VkDeviceSize memoryOffset) {
  return guarded([&] {
    bind(from_handle<Device>(device), image, from_handle<DeviceMemory>(memory), memoryOffset);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::BindImageMemory2(VkDevice device, uint32_t bindInfoCount,
                                                       const VkBindImageMemoryInfo* pBindInfos) {
  return guarded([&] {
    for (uint32_t i = 0; i < bindInfoCount; ++i) bind(from_handle<Device>(device), pBindInfos[i]);
    return VK_SUCCESS;
  });
}

}  // namespace spalt::icd
