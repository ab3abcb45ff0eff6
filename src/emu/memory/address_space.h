// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "emu/memory/guest_memory.h"

namespace spalt::emu {

/// Where AddressSpace puts what comes without an address.
enum class Area : uint8_t {
  programs,  ///< in one 4 GiB window with `tables`: pointers of 32 bits reach from one to the other
  tables,
  buffers,  ///< and scratch lie elsewhere, so that a shader that mixes the two up touches nothing
  scratch
};
constexpr unsigned kAreaCount = 4;

/// The mappings that devices share. Any thread may call anything at any time.
///
/// What runs never looks at this object: it takes a snapshot when it starts and sees those mappings until it ends.
/// Snapshots are cheap. A change copies the table when there is a snapshot of it, and is made in place otherwise.
class AddressSpace {
 public:
  AddressSpace() : table_(std::make_shared<Table>()) {}
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Fails when the range is empty, wraps around or overlaps a mapping or a reservation.
  Result<void> map(Mapping mapping);
  /// The same at an address of the area that is free, with unmapped bytes on both sides; returns it.
  Result<uint64_t> map_anywhere(Area area, uint64_t alignment, Mapping mapping);
  /// False when no mapping begins there. Allocates only when there is a snapshot.
  bool unmap(uint64_t base);
  /// The same, but only for mappings without an owner: those that a caller of the API has made.
  bool unmap_unowned(uint64_t base);

  /// Keeps others from a range whose owner adds its own mappings to snapshots.
  Result<void> reserve(uint64_t base, uint64_t size, std::string name);
  Result<uint64_t> reserve_anywhere(Area area, uint64_t size, std::string name);
  void release(uint64_t base);

  std::shared_ptr<const Memory> snapshot();

 private:
  /// A bounded range that is filled from the start on; places are looked for after the last one that was found.
  struct Range {
    uint64_t first, last, next;
  };
  Result<uint64_t> find_place(Area area, uint64_t size, uint64_t alignment);
  const Mapping* in_the_way(uint64_t base, uint64_t size) const;
  /// Mappings, and how many snapshots of them there are: added under the mutex, given back without it.
  struct Table {
    Memory memory;
    std::atomic<unsigned> readers{0};
  };
  Memory& changeable();

  std::mutex mutex_;
  std::shared_ptr<Table> table_;
  Memory reserved_;           ///< without host memory
  uint64_t last_serial_ = 0;  ///< Mapping::serial
  std::array<Range, kAreaCount> ranges_ = default_ranges();

  static std::array<Range, kAreaCount> default_ranges();
};

}  // namespace spalt::emu
