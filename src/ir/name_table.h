// SPDX-License-Identifier: MIT
// Words of an enumeration in the order of its values. Internal to src/ir.
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace spalt::ir {

/// "?" for a value beyond the last one.
template <class Enum, size_t N>
std::string_view name_of(const std::array<std::string_view, N>& names, Enum value) {
  const size_t index = static_cast<size_t>(value);
  return index < N ? names[index] : std::string_view("?");
}

template <class Enum, size_t N>
std::optional<Enum> find_in(const std::array<std::string_view, N>& names, std::string_view word) {
  for (size_t i = 0; i < N; ++i) {
    if (names[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace spalt::ir
