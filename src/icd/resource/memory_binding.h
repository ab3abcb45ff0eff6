// SPDX-License-Identifier: MIT
#pragma once

#include "icd/resource/device_memory.h"

namespace spalt::icd {

/// Bytes of a buffer or an image. Ranges are checked when they are made, and what is outside is cut off.
struct MemoryRange {
  uint64_t address = 0;
  std::byte* host = nullptr;
  uint64_t size = 0;
};

/// Where a buffer or an image is. It has the addresses of its place in the memory. With SPALT_ICD_STRICT_BUFFERS it has
/// some of its own, followed by a gap, so that a pointer that leaves it faults, whatever is next to it in memory. A
/// buffer of descriptors always has some of its own, in the window of tables.
class MemoryBinding {
 public:
  struct Resource {
    VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
    uint64_t handle = 0;
    uint64_t size = 0;
    const char* name = nullptr;  // for messages about faults
    bool capture_replay = false;
    bool has_descriptors = false;  // that shaders reach by addresses of 32 bits
    uint64_t wanted_address = 0;   // 0: any
  };
  /// Throws VulkanError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS} when the resource was made for another address.
  void bind(Device& device, const DeviceMemory& memory, uint64_t offset, const Resource& resource);

  /// Of the first byte, on the device and on the host; 0 and nullptr before it is bound.
  uint64_t address() const { return address_; }
  std::byte* host() const { return host_; }
  /// Size 0 before it is bound.
  const AddressOwner& owner() const { return *owner_; }

 private:
  void bind_apart(Device& device, const DeviceMemory& memory, uint64_t offset, const Resource& resource);

  uint64_t address_ = 0;
  std::byte* host_ = nullptr;
  std::shared_ptr<const HostPages> pages_;  // with addresses of its own: the memory may be freed first
  OwnedBlock block_;                        // those addresses
  KnownOwner owner_;
};

}  // namespace spalt::icd
