// SPDX-License-Identifier: MIT
#pragma once

#include "icd/resource/device_memory.h"

namespace spalt::icd {

/// Has the address of its place in the memory. With SPALT_ICD_STRICT_BUFFERS it has one of its own, followed by a gap,
/// so that a pointer that leaves it faults, whatever is next to it in memory.
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
  uint64_t address() const { return address_; }
  std::byte* host() const { return host_; }
  /// Size 0 before it is bound.
  const AddressOwner& owner() const { return *owner_; }

 private:
  void bind_strictly(Device& device, const DeviceMemory& memory, uint64_t offset);

  uint64_t size_;
  VkBufferUsageFlags usage_;
  bool capture_replay_;
  uint64_t wanted_address_ = 0;  // 0: any
  uint64_t address_ = 0;
  std::byte* host_ = nullptr;
  std::shared_ptr<const HostPages> pages_;  // of a strict buffer, whose memory may be freed first
  OwnedBlock block_;                        // of a strict buffer
  KnownOwner owner_;
};

/// Bytes of a buffer. Ranges are checked when they are made: VK_WHOLE_SIZE is resolved, and what is outside cut off.
struct BufferRange {
  uint64_t address = 0;
  std::byte* host = nullptr;
  uint64_t size = 0;
};

/// `buffer` may be nullptr, or without memory: an empty range.
BufferRange buffer_range(const Buffer* buffer, uint64_t offset, uint64_t size);

class BufferView : public Object {
 public:
  using Handle = VkBufferView;
  explicit BufferView(const VkBufferViewCreateInfo& info);
  BufferRange range;
  VkFormat format;
};

}  // namespace spalt::icd
