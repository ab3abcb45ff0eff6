// SPDX-License-Identifier: MIT
#include "icd/memory/device_space.h"

#include <new>

#include "icd/object/result.h"

namespace spalt::icd {
namespace {

constexpr uint64_t kAlignment = 65536;
// The ranges end below 2^47, so that signed and unsigned addresses are the same.
constexpr uint64_t kGeneralBegin = 0x0000'1000'0000'0000;
constexpr uint64_t kCaptureReplayBegin = 0x0000'4000'0000'0000;
constexpr uint64_t kCaptureReplayEnd = 0x0000'7e00'0000'0000;
constexpr uint64_t kTablesBegin = uint64_t{kTablesAddressHigh} << 32;
constexpr uint64_t kTablesEnd = kTablesBegin + (uint64_t{1} << 32);

}  // namespace

DeviceSpace::DeviceSpace()
    : general_(kGeneralBegin, kCaptureReplayBegin, kAlignment),
      capture_replay_(kCaptureReplayBegin, kCaptureReplayEnd, kAlignment),
      tables_(kTablesBegin, kTablesEnd, kAlignment) {
  if (!space_.ok()) throw std::bad_alloc();
}

AddressRange& DeviceSpace::range(Range which) {
  if (which == Range::general) return general_;
  return which == Range::capture_replay ? capture_replay_ : tables_;
}

uint64_t DeviceSpace::take(Range which, uint64_t size, std::optional<uint64_t> wanted) {
  if (wanted) {
    if (!range(which).take_at(*wanted, size)) throw VulkanError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS};
    return *wanted;
  }
  const std::optional<uint64_t> free = range(which).take(size);
  if (!free) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  return *free;
}

Block DeviceSpace::allocate(Range which, uint64_t size, const char* name, std::optional<uint64_t> wanted) {
  HostPages pages(size);
  std::byte* host = pages.data();
  return add({which, std::move(pages), host, size, name}, wanted);
}

Block DeviceSpace::map(Range which, std::byte* host, uint64_t size, const char* name, std::optional<uint64_t> wanted) {
  return add({which, {}, host, size, name}, wanted);
}

Block DeviceSpace::add(Owner owner, std::optional<uint64_t> wanted) {
  const Range which = owner.range;
  const Block place{0, owner.size, owner.host};
  const std::string name = owner.name;
  const std::lock_guard guard(mutex_);
  const uint64_t address = take(which, place.size, wanted);
  try {
    blocks_.emplace(address, std::move(owner));
  } catch (...) {
    range(which).give_back(address);
    throw;
  }
  // Shaders only read tables, which the driver writes while they may lie in caches.
  const bool is_table = which == Range::tables;
  if (!space_.map(address, place.host, place.size, name.c_str(), is_table, is_table).ok()) {
    blocks_.erase(address);
    range(which).give_back(address);
    throw std::bad_alloc();
  }
  return {address, place.size, place.host};
}

void DeviceSpace::release(const Block& block) {
  if (block.size == 0) return;
  std::map<uint64_t, Owner>::node_type released;  // its pages go after the lock
  const std::lock_guard guard(mutex_);
  space_.unmap(block.address);
  released = blocks_.extract(block.address);
  range(released.mapped().range).give_back(block.address);
}

bool DeviceSpace::shows(uint64_t address, uint64_t size, const std::byte* host) {
  const std::lock_guard guard(mutex_);
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return false;
  const auto& [begin, owner] = *std::prev(after);
  const uint64_t offset = address - begin;
  return offset <= owner.size && size <= owner.size - offset && owner.host + offset == host;
}

uint64_t DeviceSpace::reserve(Range which, uint64_t size) {
  const std::lock_guard guard(mutex_);
  return take(which, size, std::nullopt);
}

void DeviceSpace::unreserve(Range which, uint64_t address) {
  const std::lock_guard guard(mutex_);
  range(which).give_back(address);
}

}  // namespace spalt::icd
