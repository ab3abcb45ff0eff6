// SPDX-License-Identifier: MIT
//
// Device memory: host pages at device addresses of the driver's own choice. The same calls in the same order give the
// same addresses in every process; between two blocks lies at least one page that nobody has, so that an access past
// the end of one faults.
//
// Ranges of addresses:
// - general: what vkAllocateMemory hands out;
// - capture_replay: memory whose address may be asked for again in another run. It has a range of its own, so that what
//   needs no particular address never takes one of these;
// - tables: one window of 4 GiB for what shaders reach by addresses of 32 bits: descriptor tables, code, the tables of
//   the emulated device (spalt_program_create_info::address). Shaders can only read there;
// - descriptor_buffers: in the same window, tables that applications keep in buffers of their own, which is memory like
//   any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "icd/memory/address_range.h"
#include "icd/memory/host_pages.h"
#include "spalt/device.hpp"

namespace spalt::icd {

enum class Range : uint8_t { general, capture_replay, tables, descriptor_buffers };

/// Host memory that a DeviceSpace has mapped.
struct Block {
  uint64_t address = 0;
  uint64_t size = 0;
  std::byte* host = nullptr;
};

/// Upper half of all addresses in the window of tables.
constexpr uint32_t kTablesAddressHigh = 0x7f01;

/// Safe to call from all threads.
class DeviceSpace {
 public:
  DeviceSpace();

  const spalt_api::AddressSpace& address_space() const { return space_; }

  /// Maps zeroed pages, which the space owns; `name` is for messages about faults. `wanted`: at that address or not at
  /// all. Throws std::bad_alloc, VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY} when the range is full and
  /// VulkanError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS} when the address is not free.
  Block allocate(Range range, uint64_t size, const char* name, std::optional<uint64_t> wanted = std::nullopt);
  /// Maps memory of somebody else, aligned to 8, which must outlive the block.
  Block map(Range range, std::byte* host, uint64_t size, const char* name,
            std::optional<uint64_t> wanted = std::nullopt);
  /// Nothing may use the block any more. Blocks of size 0 are ignored.
  void release(const Block& block);

  /// Calls `visit(block, name, read_only)` for each block, in order of their addresses; none comes or goes meanwhile.
  template <typename Visit>
  void for_each_block(Visit&& visit) {
    const std::lock_guard guard(mutex_);
    for (const auto& [address, owner] : blocks_) {
      visit(Block{address, owner.size, owner.host}, owner.name, owner.range == Range::tables);
    }
  }
  /// Whether these bytes are in one block and the host finds them at `host`: not any more after release().
  bool shows(uint64_t address, uint64_t size, const std::byte* host);

  /// A place for code or device tables, which the emulator maps itself.
  uint64_t reserve(Range range, uint64_t size);
  void unreserve(Range range, uint64_t address);

 private:
  struct Owner {
    Range range;
    HostPages pages;  // none: somebody else's
    std::byte* host;
    uint64_t size;
    std::string name;
  };
  AddressRange& range(Range which);
  uint64_t take(Range which, uint64_t size, std::optional<uint64_t> wanted);
  Block add(Owner owner, std::optional<uint64_t> wanted);

  spalt_api::AddressSpace space_;
  std::mutex mutex_;
  AddressRange general_, capture_replay_, tables_;
  std::map<uint64_t, Owner> blocks_;  // by address
};

/// A block that is released with this object.
class OwnedBlock {
 public:
  OwnedBlock() = default;
  OwnedBlock(DeviceSpace& space, const Block& block) : space_(&space), block_(block) {}
  ~OwnedBlock() {
    if (space_ != nullptr) space_->release(block_);
  }
  OwnedBlock(OwnedBlock&& other) noexcept : space_(std::exchange(other.space_, nullptr)), block_(other.block_) {}
  OwnedBlock& operator=(OwnedBlock&& other) noexcept {
    std::swap(space_, other.space_);
    std::swap(block_, other.block_);
    return *this;
  }
  const Block& operator*() const { return block_; }
  const Block* operator->() const { return &block_; }

 private:
  DeviceSpace* space_ = nullptr;
  Block block_;
};

}  // namespace spalt::icd
