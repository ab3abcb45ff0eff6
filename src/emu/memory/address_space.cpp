// SPDX-License-Identifier: MIT
#include "emu/memory/address_space.h"

#include "base/bits.h"

namespace spalt::emu {
namespace {

constexpr uint64_t kWindow = uint64_t{0x7f01} << 32;
constexpr uint64_t kPrograms = kWindow + 0x00200000, kTables = kWindow + 0x40000000;
constexpr uint64_t kBuffers = uint64_t{0x0123} << 32, kScratch = uint64_t{0x0456} << 32, kLarge = uint64_t{1} << 40;

/// Unmapped bytes around what is placed, and the least alignment: an overrun meets nothing.
constexpr uint64_t kGap = 0x10000;

Error no_place(const std::string& name) {
  return {Status::limit_exceeded, "there is no address left for \"" + name + "\""};
}

}  // namespace

std::array<AddressSpace::Range, kAreaCount> AddressSpace::default_ranges() {
  return {{{kPrograms, kTables - 1, kPrograms},
           {kTables, kWindow + 0xffffffff, kTables},
           {kBuffers, kBuffers + kLarge, kBuffers},
           {kScratch, kScratch + kLarge, kScratch}}};
}

Memory& AddressSpace::changeable() {
  // Acquires what the readers have done: they have read the table for the last time.
  if (table_->readers.load(std::memory_order_acquire) != 0) {
    auto copy = std::make_shared<Table>();
    copy->memory = table_->memory;
    table_ = std::move(copy);
  }
  return table_->memory;
}

const Mapping* AddressSpace::in_the_way(uint64_t base, uint64_t size) const {
  const Mapping* mapping = table_->memory.overlapping(base, size);
  return mapping != nullptr ? mapping : reserved_.overlapping(base, size);
}

Result<void> AddressSpace::map(Mapping mapping) {
  const std::lock_guard lock(mutex_);
  if (const Mapping* other = reserved_.overlapping(mapping.base, mapping.size); other != nullptr) {
    return Error{Status::invalid_argument, "mapping \"" + mapping.name + "\" overlaps \"" + other->name + "\""};
  }
  mapping.serial = ++last_serial_;
  return changeable().add(std::move(mapping));
}

bool AddressSpace::unmap_unowned(uint64_t base) {
  const std::lock_guard lock(mutex_);
  const Mapping* mapping = table_->memory.overlapping(base, 1);
  return mapping != nullptr && mapping->owner == nullptr && changeable().remove(base);
}

/// Goes from obstacle to obstacle, once around the area.
Result<uint64_t> AddressSpace::find_place(Area area, uint64_t size, uint64_t alignment) {
  Range& range = ranges_[static_cast<size_t>(area)];
  alignment = std::max(alignment, kGap);
  const uint64_t space = range.last - range.first;
  if (size > space) return no_place("a mapping");
  for (const uint64_t start : {range.next, range.first}) {
    uint64_t at = align_up(start, alignment);
    while (at <= range.last && size + kGap <= range.last - at) {
      const Mapping* obstacle = in_the_way(at - kGap, size + 2 * kGap);
      if (obstacle == nullptr) {
        range.next = at + size;
        return at;
      }
      at = align_up(obstacle->end() + kGap, alignment);
    }
  }
  return no_place("a mapping");
}

Result<uint64_t> AddressSpace::map_anywhere(Area area, uint64_t alignment, Mapping mapping) {
  const std::lock_guard lock(mutex_);
  Result<uint64_t> at = find_place(area, mapping.size, alignment);
  if (!at) return at;
  mapping.base = *at;
  mapping.serial = ++last_serial_;
  if (Result<void> done = changeable().add(std::move(mapping)); !done) return done.error();
  return at;
}

bool AddressSpace::unmap(uint64_t base) {
  const std::lock_guard lock(mutex_);
  return changeable().remove(base);
}

Result<void> AddressSpace::reserve(uint64_t base, uint64_t size, std::string name) {
  const std::lock_guard lock(mutex_);
  if (const Mapping* other = table_->memory.overlapping(base, size); other != nullptr) {
    return Error{Status::invalid_argument, "\"" + name + "\" overlaps \"" + other->name + "\""};
  }
  return reserved_.add({base, size, nullptr, false, std::move(name), {}});
}

Result<uint64_t> AddressSpace::reserve_anywhere(Area area, uint64_t size, std::string name) {
  const std::lock_guard lock(mutex_);
  Result<uint64_t> at = find_place(area, size, 1);
  if (!at) return at;
  if (Result<void> done = reserved_.add({*at, size, nullptr, false, std::move(name), {}}); !done) return done.error();
  return at;
}

void AddressSpace::release(uint64_t base) {
  const std::lock_guard lock(mutex_);
  reserved_.remove(base);
}

std::shared_ptr<const Memory> AddressSpace::snapshot() {
  std::shared_ptr<Table> table;
  {
    const std::lock_guard lock(mutex_);
    table = table_;
    table->readers.fetch_add(1, std::memory_order_relaxed);
  }
  const Memory* memory = &table->memory;
  return {memory, [table](const Memory*) { table->readers.fetch_sub(1, std::memory_order_release); }};
}

}  // namespace spalt::emu
