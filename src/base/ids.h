// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstdint>

namespace spalt {

/// A 32-bit index that only compares with indices of the same kind. The default value is "none".
template <class Tag>
struct Id {
  static constexpr uint32_t kNone = 0xffffffffu;
  uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t value) : index(value) {}
  constexpr bool valid() const { return index != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace spalt
