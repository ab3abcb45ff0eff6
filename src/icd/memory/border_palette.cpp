// SPDX-License-Identifier: MIT
#include "icd/memory/border_palette.h"

#include <algorithm>
#include <cstring>

#include "icd/object/result.h"

namespace spalt::icd {

uint32_t BorderPalette::take(const BorderColor& color) {
  const std::lock_guard guard(mutex_);
  auto place = std::find_if(places_.begin(), places_.end(),
                            [&](const Place& candidate) { return candidate.users != 0 && candidate.color == color; });
  if (place == places_.end()) {
    place = std::find_if(places_.begin(), places_.end(), [](const Place& candidate) { return candidate.users == 0; });
  }
  if (place == places_.end()) {
    if (places_.size() == kMaxBorderColors) throw VulkanError{VK_ERROR_TOO_MANY_OBJECTS};
    if (table_->size == 0) {
      table_ = OwnedBlock(*space_, space_->allocate(Range::tables, kMaxBorderColors * sizeof color, "border colors"));
    }
    place = places_.insert(places_.end(), Place{});
  }
  const auto number = static_cast<uint32_t>(place - places_.begin());
  place->color = color;
  ++place->users;
  std::memcpy(table_->host + number * sizeof color, color.data(), sizeof color);
  return number;
}

void BorderPalette::give_back(uint32_t number) noexcept {
  const std::lock_guard guard(mutex_);
  --places_[number].users;
}

uint64_t BorderPalette::address() const {
  const std::lock_guard guard(mutex_);
  return table_->address;
}

}  // namespace spalt::icd
