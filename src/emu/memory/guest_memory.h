// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace spalt::emu {

/// A piece of the guest's 64-bit address space, backed by host memory that outlives the Memory.
struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;
  uint8_t* host = nullptr;
  bool writable = true;
  std::string name;
};

/// A sparse address space of allocations with exact bounds. Filled before a run and then only read, so that worker
/// threads share it without locks; the bytes behind it are the guest's business.
class Memory {
 public:
  /// Fails when the range is empty, wraps around or overlaps another allocation.
  Result<void> add(Allocation allocation);

  /// The allocation that holds all of [address, address + size), or nullptr. `hint` is a place that remembers the last
  /// hit of one user.
  const Allocation* find(uint64_t address, uint64_t size, const Allocation*& hint) const {
    const Allocation* last = hint;
    if (last != nullptr && contains(*last, address, size)) return last;
    return search(address, size, hint);
  }

  std::span<const Allocation> allocations() const { return allocations_; }

 private:
  static bool contains(const Allocation& a, uint64_t address, uint64_t size) {
    return address - a.base <= a.size && size <= a.size - (address - a.base);
  }
  const Allocation* search(uint64_t address, uint64_t size, const Allocation*& hint) const;

  std::vector<Allocation> allocations_;  ///< sorted by base
};

}  // namespace spalt::emu
