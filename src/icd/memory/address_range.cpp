// SPDX-License-Identifier: MIT
#include "icd/memory/address_range.h"

#include <algorithm>
#include <iterator>

namespace spalt::icd {
namespace {

constexpr uint64_t kPage = 4096;

/// Where the gap after a place ends. What is taken is smaller than the range, so that nothing overflows.
uint64_t end_with_gap(uint64_t address, uint64_t size) {
  return address + (size + kPage - 1) / kPage * kPage + kPage;
}

}  // namespace

std::optional<uint64_t> AddressRange::take(uint64_t size) {
  if (size > end_ - begin_) return std::nullopt;
  uint64_t place = full_until_;
  for (auto next = taken_.lower_bound(place); next != taken_.end(); ++next) {
    if (next->first >= end_with_gap(place, size)) break;
    place = units(next->second);
  }
  return take_at(place, size) ? std::optional(place) : std::nullopt;
}

bool AddressRange::take_at(uint64_t address, uint64_t size) {
  if (address < begin_ || address % alignment_ != 0 || address >= end_ || size > end_ - address) return false;
  const uint64_t end = end_with_gap(address, size);
  if (end > end_) return false;
  const auto next = taken_.lower_bound(address);
  if (next != taken_.end() && next->first < end) return false;
  if (next != taken_.begin() && std::prev(next)->second > address) return false;
  auto place = taken_.emplace_hint(next, address, end);
  for (; place != taken_.end() && place->first == full_until_; ++place) full_until_ = units(place->second);
  return true;
}

void AddressRange::give_back(uint64_t address) {
  taken_.erase(address);
  full_until_ = std::min(full_until_, address);
}

}  // namespace spalt::icd
