// SPDX-License-Identifier: MIT
//
// VkDeviceMemory: pages of the driver or, with VK_EXT_external_memory_host, of the application. All of it has one
// device address, unless SPALT_ICD_STRICT_BUFFERS is set: then buffers have addresses of their own (Buffer), and what
// no buffer covers has none.
//
// The host sees memory of the type that is not coherent through a copy, which vkFlushMappedMemoryRanges writes to the
// device and vkInvalidateMappedMemoryRanges reads from it: what an application forgets to flush does not arrive.
#pragma once

#include <memory>

#include "icd/device/device.h"

namespace spalt::icd {

class DeviceMemory : public Object {
 public:
  using Handle = VkDeviceMemory;
  DeviceMemory(Device& device, const VkMemoryAllocateInfo& info);

  uint64_t size() const { return size_; }
  /// Where the device and commands find it.
  std::byte* host() const { return host_; }
  /// Where the application finds it.
  std::byte* mapped() const { return copy_ == nullptr ? host_ : copy_->data(); }
  void flush(uint64_t offset, uint64_t size);
  void invalidate(uint64_t offset, uint64_t size);
  /// Of the first byte; 0 with strict buffers.
  uint64_t address() const { return block_->address; }
  /// nullptr: pages of the application.
  const std::shared_ptr<const HostPages>& pages() const { return pages_; }
  const AddressOwner& owner() const { return *owner_; }

 private:
  uint64_t size_;
  std::byte* host_ = nullptr;
  HeapShare share_;
  std::shared_ptr<const HostPages> pages_;
  std::shared_ptr<const HostPages> copy_;  // of the host; nullptr: coherent
  OwnedBlock block_;
  KnownOwner owner_;
};

}  // namespace spalt::icd
