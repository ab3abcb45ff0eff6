// SPDX-License-Identifier: MIT
#include "icd/memory/device_space.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

#include "icd/object/result.h"

namespace spalt::icd {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kAlignment = 65536;
// The general range ends below the tables; both are below 2^47, so that signed and unsigned addresses are the same.
constexpr uint64_t kGeneralBegin = 0x0000'1000'0000'0000;
constexpr uint64_t kGeneralEnd = 0x0000'7e00'0000'0000;
constexpr uint64_t kTablesBegin = 0x0000'7f01'0000'0000;
constexpr uint64_t kTablesEnd = kTablesBegin + (uint64_t{1} << 32);
constexpr uint8_t kJunk = 0xcd;

uint64_t round_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::byte* map_pages(uint64_t size) {
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(pages);
}

}  // namespace

std::optional<uint64_t> AddressRange::take(uint64_t size) {
  if (size > end_ - begin_) return std::nullopt;
  uint64_t place = begin_;
  for (const auto& [address, end] : taken_) {
    if (address >= place && address - place >= size + kPage) break;
    place = round_up(end, alignment_);
  }
  return take_at(place, size) ? std::optional(place) : std::nullopt;
}

bool AddressRange::take_at(uint64_t address, uint64_t size) {
  if (address < begin_ || address % alignment_ != 0 || address >= end_ || size + kPage > end_ - address) return false;
  const auto next = taken_.lower_bound(address);
  if (next != taken_.end() && next->first < address + size + kPage) return false;
  if (next != taken_.begin() && std::prev(next)->second > address) return false;
  taken_.emplace(address, address + round_up(size, kPage) + kPage);
  return true;
}

void AddressRange::give_back(uint64_t address) {
  taken_.erase(address);
}

DeviceSpace::DeviceSpace(bool poison)
    : general_(kGeneralBegin, kGeneralEnd, kAlignment), tables_(kTablesBegin, kTablesEnd, kAlignment), poison_(poison) {
  if (!space_.ok()) throw std::bad_alloc();
}

Block DeviceSpace::allocate(Range which, uint64_t size, const char* name, std::optional<uint64_t> wanted) {
  std::byte* pages = map_pages(size);
  if (poison_) std::memset(pages, kJunk, size);
  try {
    return map(which, pages, size, name, wanted, true);
  } catch (...) {
    munmap(pages, size);
    throw;
  }
}

Block DeviceSpace::import_host(void* host, uint64_t size, const char* name) {
  return map(Range::general, static_cast<std::byte*>(host), size, name, std::nullopt, false);
}

Block DeviceSpace::map(Range which, std::byte* host, uint64_t size, const char* name, std::optional<uint64_t> wanted,
                       bool own) {
  const std::lock_guard guard(mutex_);
  std::optional<uint64_t> address = wanted;
  if (wanted) {
    if (!range(which).take_at(*wanted, size)) throw VulkanError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS};
  } else {
    address = range(which).take(size);
    if (!address) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  }
  if (!space_.map(*address, host, size, name).ok()) {
    range(which).give_back(*address);
    throw std::bad_alloc();
  }
  blocks_.emplace(*address, Owner{which, own});
  return {*address, size, host};
}

void DeviceSpace::release(const Block& block) {
  if (block.host == nullptr) return;
  bool own = false;
  {
    const std::lock_guard guard(mutex_);
    const auto found = blocks_.find(block.address);
    own = found->second.own_pages;
    space_.unmap(block.address);
    range(found->second.range).give_back(block.address);
    blocks_.erase(found);
  }
  if (own) munmap(block.host, block.size);
}

uint64_t DeviceSpace::reserve(Range which, uint64_t size) {
  const std::lock_guard guard(mutex_);
  const std::optional<uint64_t> address = range(which).take(size);
  if (!address) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  return *address;
}

void DeviceSpace::unreserve(Range which, uint64_t address) {
  const std::lock_guard guard(mutex_);
  range(which).give_back(address);
}

}  // namespace spalt::icd
