// SPDX-License-Identifier: MIT
//
// Device addresses of one range: first fit, so that they depend on nothing but the calls. Each place is followed by a
// gap of at least one page, in which nothing is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace spalt::icd {

class AddressRange {
 public:
  AddressRange(uint64_t begin, uint64_t end, uint64_t alignment)
      : begin_(begin), end_(end), alignment_(alignment), full_until_(begin) {}
  /// A free place for `size` bytes and the gap after them; none: the range is full. Takes constant time, and a step for
  /// each place after the lowest free one.
  std::optional<uint64_t> take(uint64_t size);
  /// That very place; false: it is not free, not aligned or outside of the range.
  bool take_at(uint64_t address, uint64_t size);
  void give_back(uint64_t address);

 private:
  uint64_t units(uint64_t end) const { return (end + alignment_ - 1) / alignment_ * alignment_; }

  uint64_t begin_, end_, alignment_;
  uint64_t full_until_;                 // below it no place of any size is free; aligned
  std::map<uint64_t, uint64_t> taken_;  // address -> end, gap included
};

}  // namespace spalt::icd
