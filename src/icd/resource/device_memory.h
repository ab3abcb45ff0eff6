// SPDX-License-Identifier: MIT
//
// VkDeviceMemory: pages of the driver or, with VK_EXT_external_memory_host, of the application. All of it has one
// device address, unless SPALT_ICD_STRICT_BUFFERS is set: then buffers have addresses of their own (Buffer), and what
// no buffer covers has none.
#pragma once

#include <memory>

#include "icd/device/device.h"

namespace spalt::icd {

class DeviceMemory : public Object {
 public:
  using Handle = VkDeviceMemory;
  DeviceMemory(Device& device, const VkMemoryAllocateInfo& info);

  uint64_t size() const { return size_; }
  std::byte* host() const { return host_; }
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
  OwnedBlock block_;
  KnownOwner owner_;
};

}  // namespace spalt::icd
