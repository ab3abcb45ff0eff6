// SPDX-License-Identifier: MIT
#pragma once

#include "icd/resource/memory_binding.h"

namespace spalt::icd {

class Buffer : public Object {
 public:
  using Handle = VkBuffer;
  /// Throws VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY} for what no memory can hold.
  Buffer(Device& device, const VkBufferCreateInfo& info);

  uint64_t size() const { return size_; }
  VkBufferUsageFlags usage() const { return usage_; }
  /// Throws VulkanError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS} when it was made for another address.
  void bind(Device& device, const DeviceMemory& memory, uint64_t offset);
  /// Of its first byte, on the device and on the host; 0 and nullptr before it is bound.
  uint64_t address() const { return binding_.address(); }
  std::byte* host() const { return binding_.host(); }
  /// Size 0 before it is bound.
  const AddressOwner& owner() const { return binding_.owner(); }

 private:
  uint64_t size_;
  VkBufferUsageFlags usage_;
  bool capture_replay_;
  uint64_t wanted_address_ = 0;  // 0: any
  MemoryBinding binding_;
};

/// VK_WHOLE_SIZE is resolved. `buffer` may be nullptr, or without memory: an empty range.
MemoryRange buffer_range(const Buffer* buffer, uint64_t offset, uint64_t size);

}  // namespace spalt::icd
