// SPDX-License-Identifier: MIT
#include "emu/memory/guest_memory.h"

#include <algorithm>

namespace spalt::emu {
namespace {

bool starts_before(const Allocation& allocation, uint64_t address) {
  return allocation.base < address;
}

}  // namespace

Result<void> Memory::add(Allocation allocation) {
  const uint64_t end = allocation.base + allocation.size;
  if (allocation.size == 0 || end < allocation.base) {
    return Error{Status::invalid_argument, "allocation \"" + allocation.name + "\" is empty or wraps around"};
  }
  const auto at = std::lower_bound(allocations_.begin(), allocations_.end(), allocation.base, starts_before);
  const bool overlaps_next = at != allocations_.end() && at->base < end;
  const bool overlaps_previous = at != allocations_.begin() && (at - 1)->base + (at - 1)->size > allocation.base;
  if (overlaps_next || overlaps_previous) {
    return Error{Status::invalid_argument, "allocation \"" + allocation.name + "\" overlaps another one"};
  }
  allocations_.insert(at, std::move(allocation));
  return {};
}

const Allocation* Memory::search(uint64_t address, uint64_t size, const Allocation*& hint) const {
  auto at = std::lower_bound(allocations_.begin(), allocations_.end(), address, starts_before);
  if (at == allocations_.end() || at->base > address) {
    if (at == allocations_.begin()) return nullptr;
    --at;
  }
  if (!contains(*at, address, size)) return nullptr;
  hint = &*at;
  return hint;
}

}  // namespace spalt::emu
