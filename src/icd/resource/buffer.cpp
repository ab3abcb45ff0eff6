// SPDX-License-Identifier: MIT
#include "icd/resource/buffer.h"

#include <algorithm>

#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "icd/resource/address_report.h"

namespace spalt::icd {

Buffer::Buffer(Device& device, const VkBufferCreateInfo& info)
    : size_(info.size),
      usage_(info.usage),
      capture_replay_((info.flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) != 0) {
  if (size_ > device.physical().heap().bytes()) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  if (const auto* capture = find_in_chain<VkBufferOpaqueCaptureAddressCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO)) {
    wanted_address_ = capture->opaqueCaptureAddress;
  }
}

void Buffer::bind(Device& device, const DeviceMemory& memory, uint64_t offset) {
  constexpr VkBufferUsageFlags kDescriptors =
      VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
  MemoryBinding::Resource resource;
  resource.type = VK_OBJECT_TYPE_BUFFER;
  resource.handle = handle_value(to_handle(this));
  resource.size = size_;
  resource.name = "buffer";
  resource.capture_replay = capture_replay_;
  resource.has_descriptors = (usage_ & kDescriptors) != 0;
  resource.wanted_address = wanted_address_;
  binding_.bind(device, memory, offset, resource);
}

MemoryRange buffer_range(const Buffer* buffer, uint64_t offset, uint64_t size) {
  if (buffer == nullptr || buffer->host() == nullptr || offset >= buffer->size()) return {};
  const uint64_t rest = buffer->size() - offset;  // VK_WHOLE_SIZE is larger than any
  return {buffer->address() + offset, buffer->host() + offset, std::min(size, rest)};
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateBuffer(VkDevice device, const VkBufferCreateInfo* pCreateInfo,
                                                   const VkAllocationCallbacks* pAllocator, VkBuffer* pBuffer) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    *pBuffer = to_handle(create_child<Buffer>(owner, pAllocator, owner, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyBuffer(VkDevice device, VkBuffer buffer,
                                                const VkAllocationCallbacks* pAllocator) {
  if (buffer == VK_NULL_HANDLE) return;
  auto& owner = from_handle<Device>(device);
  report_binding(owner, from_handle<Buffer>(buffer).owner(), VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
  destroy_child<Buffer>(owner, pAllocator, buffer);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::BindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                                       VkDeviceSize memoryOffset) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    auto& object = from_handle<Buffer>(buffer);
    object.bind(owner, from_handle<DeviceMemory>(memory), memoryOffset);
    report_binding(owner, object.owner(), VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::BindBufferMemory2(VkDevice device, uint32_t bindInfoCount,
                                                        const VkBindBufferMemoryInfo* pBindInfos) {
  for (uint32_t i = 0; i < bindInfoCount; ++i) {
    const VkBindBufferMemoryInfo& info = pBindInfos[i];
    const VkResult result = BindBufferMemory(device, info.buffer, info.memory, info.memoryOffset);
    if (result != VK_SUCCESS) return result;
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL entry::GetBufferDeviceAddress(VkDevice, const VkBufferDeviceAddressInfo* pInfo) {
  return from_handle<Buffer>(pInfo->buffer).address();
}

VKAPI_ATTR uint64_t VKAPI_CALL entry::GetBufferOpaqueCaptureAddress(VkDevice, const VkBufferDeviceAddressInfo* pInfo) {
  return from_handle<Buffer>(pInfo->buffer).address();
}

}  // namespace spalt::icd
