// SPDX-License-Identifier: MIT
#pragma once

#include "icd/resource/device_memory.h"

namespace spalt::icd {

class Buffer : public Object {
 public:
  using Handle = VkBuffer;
  explicit Buffer(const VkBufferCreateInfo& info) : size_(info.size), usage_(info.usage) {}

  uint64_t size() const { return size_; }
  VkBufferUsageFlags usage() const { return usage_; }
  void bind(const DeviceMemory& memory, uint64_t offset);
  /// Of its first byte, on the device and on the host; 0 and nullptr before it is bound.
  uint64_t address() const { return address_; }
  std::byte* host() const { return host_; }

 private:
  uint64_t size_;
  VkBufferUsageFlags usage_;
  uint64_t address_ = 0;
  std::byte* host_ = nullptr;
};

/// Bytes of a buffer. Ranges are checked when they are made: VK_WHOLE_SIZE is resolved, and what is outside cut off.
struct BufferRange {
  uint64_t address = 0;
  std::byte* host = nullptr;
  uint64_t size = 0;
};

/// `buffer` may be nullptr: an empty range.
BufferRange buffer_range(const Buffer* buffer, uint64_t offset, uint64_t size);

class BufferView : public Object {
 public:
  using Handle = VkBufferView;
  BufferView(const VkBufferViewCreateInfo& info);
  BufferRange range;
  VkFormat format;
};

}  // namespace spalt::icd
