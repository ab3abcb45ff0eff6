// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace spalt::emu {

/// A piece of the guest's 64-bit address space, backed by host memory or, not resident, by nothing: vector loads from
/// there give 0 and say so, stores and atomics are dropped.
struct Mapping {
  uint64_t base = 0;
  uint64_t size = 0;
  uint8_t* host = nullptr;  ///< nullptr: not resident
  bool writable = true;
  std::string name;                     ///< for the messages of faults
  std::shared_ptr<const void> owner{};  ///< keeps the host memory alive; empty when the caller sees to that
  bool cached = true;                   ///< simulated caches may hold it
  /// Tells mappings of an address space apart, also those that follow each other in one place; 0: of one run alone.
  uint64_t serial = 0;

  uint64_t end() const { return base + size; }
  bool is_resident() const { return host != nullptr; }
};

/// A sparse address space of mappings with exact bounds: a sorted table. Filled before a run and then only read, so
/// that worker threads share it without locks; the bytes in it are the guest's business.
///
/// It may extend another table, which is looked at first: what all dispatches share is in one table and what a dispatch
/// adds in a small one of its own. A look-up costs two comparisons when it hits the mapping that its user hit last, and
/// otherwise the logarithm of the number of mappings.
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::shared_ptr<const Memory> shared) : shared_(std::move(shared)) {}

  /// Fails when the range is empty, wraps around or overlaps another mapping of this table.
  Result<void> add(Mapping mapping);
  /// Removes the mapping that begins there; false when none does.
  bool remove(uint64_t base);

  /// The mapping that holds all of [address, address + size), or nullptr. `hint` is a place that remembers the last
  /// hit of one user; it must be null when it was used with another Memory.
  const Mapping* find(uint64_t address, uint64_t size, const Mapping*& hint) const {
    const Mapping* last = hint;
    if (last != nullptr && contains(*last, address, size)) return last;
    return search(address, size, hint);
  }
  /// The first mapping of this table that shares a byte with the range, or nullptr.
  const Mapping* overlapping(uint64_t base, uint64_t size) const;
  /// The mapping with the least distance to the address, or nullptr when there is none at all.
  const Mapping* nearest(uint64_t address) const;

  /// Calls visit(const Mapping&) for every mapping, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    if (shared_ != nullptr) shared_->for_each(visit);
    for (const Mapping& mapping : mappings_) visit(mapping);
  }

 private:
  static bool contains(const Mapping& a, uint64_t address, uint64_t size) {
    return address - a.base <= a.size && size <= a.size - (address - a.base);
  }
  const Mapping* search(uint64_t address, uint64_t size, const Mapping*& hint) const;

  std::shared_ptr<const Memory> shared_;
  std::vector<Mapping> mappings_;  ///< sorted by base
};

/// Bytes between the address and the mapping; 0 when it lies inside.
uint64_t distance(const Mapping& mapping, uint64_t address);

}  // namespace spalt::emu
