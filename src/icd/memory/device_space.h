// SPDX-License-Identifier: MIT
//
// Device memory: host pages at device addresses of the driver's own choice. The same calls in the same order give the
// same addresses in every process; between two blocks lies at least one page that nobody has, so that an access past
// the end of one faults.
//
// Two ranges of addresses:
// - general: what vkAllocateMemory hands out;
// - tables: one window of 4 GiB for what shaders reach by addresses of 32 bits: descriptor tables, code, the tables of
//   the emulated device (spalt_program_create_info::address).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "spalt/device.hpp"

namespace spalt::icd {

enum class Range : uint8_t { general, tables };

/// Pages that belong to a DeviceSpace, which releases them.
struct Block {
  uint64_t address = 0;
  uint64_t size = 0;
  std::byte* host = nullptr;
};

/// Addresses of one range: first fit above a floor, so that they depend on nothing but the calls.
class AddressRange {
 public:
  AddressRange(uint64_t begin, uint64_t end, uint64_t alignment) : begin_(begin), end_(end), alignment_(alignment) {}
  /// A free place for `size` bytes and the gap after them; none: the range is full.
  std::optional<uint64_t> take(uint64_t size);
  /// That very place; false: it is not free, not aligned or outside of the range.
  bool take_at(uint64_t address, uint64_t size);
  void give_back(uint64_t address);

 private:
  uint64_t begin_, end_, alignment_;
  std::map<uint64_t, uint64_t> taken_;  // address -> end, gap included
};

/// Safe to call from all threads.
class DeviceSpace {
 public:
  explicit DeviceSpace(bool poison);

  const spalt_api::AddressSpace& address_space() const { return space_; }

  /// Zeroed pages, or junk when the space was made with `poison`; `name` is for messages about faults. `wanted`: at
  /// that address or not at all. Throws std::bad_alloc, VulkanError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS}.
  Block allocate(Range range, uint64_t size, const char* name, std::optional<uint64_t> wanted = std::nullopt);
  /// Maps pages of the application (VK_EXT_external_memory_host).
  Block import_host(void* host, uint64_t size, const char* name);
  /// Nothing may use the block any more.
  void release(const Block& block);

  /// A place for code or device tables, which the emulator maps itself.
  uint64_t reserve(Range range, uint64_t size);
  void unreserve(Range range, uint64_t address);

 private:
  struct Owner {
    Range range;
    bool own_pages;  // not the application's
  };
  AddressRange& range(Range which) { return which == Range::general ? general_ : tables_; }
  Block map(Range range, std::byte* host, uint64_t size, const char* name, std::optional<uint64_t> wanted, bool own);

  spalt_api::AddressSpace space_;
  std::mutex mutex_;
  AddressRange general_, tables_;
  std::map<uint64_t, Owner> blocks_;  // by address
  bool poison_;
};

}  // namespace spalt::icd
