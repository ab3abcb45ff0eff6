// SPDX-License-Identifier: MIT
#include "icd/resource/memory_binding.h"

#include "icd/object/result.h"

namespace spalt::icd {

void MemoryBinding::bind(Device& device, const DeviceMemory& memory, uint64_t offset, const Resource& resource) {
  if (device.settings().strict_buffers || resource.has_descriptors) {
    bind_apart(device, memory, offset, resource);
  } else {
    const uint64_t address = memory.address() + offset;
    if (resource.wanted_address != 0 && address != resource.wanted_address) {
      throw VulkanError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS};
    }
    address_ = address;
  }
  host_ = memory.host() + offset;
  owner_ = KnownOwner(device.address_owners(), {address_, resource.size, resource.type, resource.handle});
}

void MemoryBinding::bind_apart(Device& device, const DeviceMemory& memory, uint64_t offset, const Resource& resource) {
  const Range range = resource.has_descriptors  ? Range::descriptor_buffers
                      : resource.capture_replay ? Range::capture_replay
                                                : Range::general;
  const auto wanted = resource.wanted_address != 0 ? std::optional(resource.wanted_address) : std::nullopt;
  DeviceSpace& space = device.space();
  block_ = OwnedBlock(space, space.map(range, memory.host() + offset, resource.size, resource.name, wanted));
  pages_ = memory.pages();
  address_ = block_->address;
}

}  // namespace spalt::icd
