// SPDX-License-Identifier: MIT
#include "icd/resource/device_memory.h"

#include <algorithm>
#include <cstring>

#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "icd/resource/address_report.h"

namespace spalt::icd {
namespace {

constexpr VkExternalMemoryHandleTypeFlags kHostHandleTypes =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT |
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT;

/// nullptr: nothing is imported.
std::byte* imported_pages(const VkMemoryAllocateInfo& info) {
  const auto* import = find_in_chain<VkImportMemoryHostPointerInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  if (import == nullptr || (import->handleType & kHostHandleTypes) == 0) return nullptr;
  if (import->pHostPointer == nullptr) throw VulkanError{VK_ERROR_INVALID_EXTERNAL_HANDLE};
  return static_cast<std::byte*>(import->pHostPointer);
}

std::shared_ptr<const HostPages> make_pages(uint64_t size, bool poison) {
  auto pages = std::make_shared<HostPages>(size);
  if (poison) pages->fill_with_junk();
  return pages;
}

std::optional<uint64_t> wanted_address(const VkMemoryAllocateInfo& info) {
  const auto* capture = find_in_chain<VkMemoryOpaqueCaptureAddressAllocateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
  if (capture == nullptr || capture->opaqueCaptureAddress == 0) return std::nullopt;
  return capture->opaqueCaptureAddress;
}

Range range_of(const VkMemoryAllocateInfo& info) {
  const auto* flags =
      find_in_chain<VkMemoryAllocateFlagsInfo>(info.pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  const bool replayable =
      flags != nullptr && (flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) != 0;
  return replayable || wanted_address(info) ? Range::capture_replay : Range::general;
}

}  // namespace

DeviceMemory::DeviceMemory(Device& device, const VkMemoryAllocateInfo& info)
    : size_(info.allocationSize), host_(imported_pages(info)) {
  if (host_ == nullptr) {
    share_ = HeapShare(device.physical().heap(), size_);
    pages_ = make_pages(size_, device.settings().poison);
    host_ = pages_->data();
    if (!device.physical().is_coherent(info.memoryTypeIndex)) copy_ = make_pages(size_, device.settings().poison);
  }
  if (device.settings().strict_buffers) return;
  DeviceSpace& space = device.space();
  block_ = OwnedBlock(space, space.map(range_of(info), host_, size_, "device memory", wanted_address(info)));
  owner_ = KnownOwner(device.address_owners(),
                      {block_->address, size_, VK_OBJECT_TYPE_DEVICE_MEMORY, handle_value(to_handle(this))});
}

void DeviceMemory::flush(uint64_t offset, uint64_t size) {
  if (copy_ == nullptr || offset >= size_) return;
  std::memcpy(host_ + offset, copy_->data() + offset, std::min(size, size_ - offset));
}

void DeviceMemory::invalidate(uint64_t offset, uint64_t size) {
  if (copy_ == nullptr || offset >= size_) return;
  std::memcpy(copy_->data() + offset, host_ + offset, std::min(size, size_ - offset));
}

VKAPI_ATTR VkResult VKAPI_CALL entry::AllocateMemory(VkDevice device, const VkMemoryAllocateInfo* pAllocateInfo,
                                                     const VkAllocationCallbacks* pAllocator, VkDeviceMemory* pMemory) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    auto* memory = create_child<DeviceMemory>(owner, pAllocator, owner, *pAllocateInfo);
    *pMemory = to_handle(memory);
    report_binding(owner, memory->owner(), VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::FreeMemory(VkDevice device, VkDeviceMemory memory,
                                             const VkAllocationCallbacks* pAllocator) {
  if (memory == VK_NULL_HANDLE) return;
  auto& owner = from_handle<Device>(device);
  report_binding(owner, from_handle<DeviceMemory>(memory).owner(), VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
  destroy_child<DeviceMemory>(owner, pAllocator, memory);
}

/// Memory is always mapped, so that a mapping is its address and needs no end.
VKAPI_ATTR VkResult VKAPI_CALL entry::MapMemory(VkDevice, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize,
                                                VkMemoryMapFlags, void** ppData) {
  *ppData = from_handle<DeviceMemory>(memory).mapped() + offset;
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL entry::UnmapMemory(VkDevice, VkDeviceMemory) {}

VKAPI_ATTR VkResult VKAPI_CALL entry::FlushMappedMemoryRanges(VkDevice, uint32_t memoryRangeCount,
                                                              const VkMappedMemoryRange* pMemoryRanges) {
  for (uint32_t i = 0; i < memoryRangeCount; ++i) {
    const VkMappedMemoryRange& range = pMemoryRanges[i];
    from_handle<DeviceMemory>(range.memory).flush(range.offset, range.size);
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::InvalidateMappedMemoryRanges(VkDevice, uint32_t memoryRangeCount,
                                                                   const VkMappedMemoryRange* pMemoryRanges) {
  for (uint32_t i = 0; i < memoryRangeCount; ++i) {
    const VkMappedMemoryRange& range = pMemoryRanges[i];
    from_handle<DeviceMemory>(range.memory).invalidate(range.offset, range.size);
  }
  return VK_SUCCESS;
}

/// No type is lazily allocated: all of it is there.
VKAPI_ATTR void VKAPI_CALL entry::GetDeviceMemoryCommitment(VkDevice, VkDeviceMemory memory,
                                                            VkDeviceSize* pCommittedMemoryInBytes) {
  *pCommittedMemoryInBytes = from_handle<DeviceMemory>(memory).size();
}

VKAPI_ATTR uint64_t VKAPI_CALL
entry::GetDeviceMemoryOpaqueCaptureAddress(VkDevice, const VkDeviceMemoryOpaqueCaptureAddressInfo* pInfo) {
  return from_handle<DeviceMemory>(pInfo->memory).address();
}

VKAPI_ATTR VkResult VKAPI_CALL
entry::GetMemoryHostPointerPropertiesEXT(VkDevice device, VkExternalMemoryHandleTypeFlagBits handleType, const void*,
                                         VkMemoryHostPointerPropertiesEXT* pMemoryHostPointerProperties) {
  if ((handleType & kHostHandleTypes) == 0) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  pMemoryHostPointerProperties->memoryTypeBits = from_handle<Device>(device).physical().coherent_memory_types();
  return VK_SUCCESS;
}

/// Groups have one device, so that nothing is asked about peers.
VKAPI_ATTR void VKAPI_CALL entry::GetDeviceGroupPeerMemoryFeatures(VkDevice, uint32_t, uint32_t, uint32_t,
                                                                   VkPeerMemoryFeatureFlags* pPeerMemoryFeatures) {
  *pPeerMemoryFeatures = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
                         VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT | VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

}  // namespace spalt::icd
