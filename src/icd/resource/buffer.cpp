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
  if (device.settings().strict_buffers) {
    bind_strictly(device, memory, offset);
  } else {
    const uint64_t address = memory.address() + offset;
    if (wanted_address_ != 0 && address != wanted_address_) throw VulkanError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS};
    address_ = address;
  }
  host_ = memory.host() + offset;
  owner_ = KnownOwner(device.address_owners(), {address_, size_, VK_OBJECT_TYPE_BUFFER, handle_value(to_handle(this))});
}

void Buffer::bind_strictly(Device& device, const DeviceMemory& memory, uint64_t offset) {
  const Range range = capture_replay_ ? Range::capture_replay : Range::general;
  const auto wanted = wanted_address_ != 0 ? std::optional(wanted_address_) : std::nullopt;
  DeviceSpace& space = device.space();
  block_ = OwnedBlock(space, space.map(range, memory.host() + offset, size_, "buffer", wanted));
  pages_ = memory.pages();
  address_ = block_->address;
}

BufferRange buffer_range(const Buffer* buffer, uint64_t offset, uint64_t size) {
  if (buffer == nullptr || buffer->host() == nullptr || offset >= buffer->size()) return {};
  const uint64_t rest = buffer->size() - offset;  // VK_WHOLE_SIZE is larger than any
  return {buffer->address() + offset, buffer->host() + offset, std::min(size, rest)};
}

BufferView::BufferView(const VkBufferViewCreateInfo& info)
    : range(buffer_range(from_nullable<Buffer>(info.buffer), info.offset, info.range)), format(info.format) {}

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

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateBufferView(VkDevice device, const VkBufferViewCreateInfo* pCreateInfo,
                                                       const VkAllocationCallbacks* pAllocator, VkBufferView* pView) {
  return guarded([&] {
    *pView = to_handle(create_child<BufferView>(from_handle<Device>(device), pAllocator, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyBufferView(VkDevice device, VkBufferView bufferView,
                                                    const VkAllocationCallbacks* pAllocator) {
  destroy_child<BufferView>(from_handle<Device>(device), pAllocator, bufferView);
}

}  // namespace spalt::icd
