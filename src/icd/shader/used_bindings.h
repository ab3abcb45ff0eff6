// SPDX-License-Identifier: MIT
//
// The bindings that a module's code uses, whatever their type: what Vulkan calls statically used, for the checks of
// SPALT_ICD_LAYOUTS. A variable that is only declared may have any descriptor, or none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace spalt::icd {

struct UsedBinding {
  uint32_t set = 0, binding = 0;
  bool operator==(const UsedBinding&) const = default;
  auto operator<=>(const UsedBinding&) const = default;
};

/// Sorted. None for modules of several entry points, which may not all use the same ones, and for what is no module.
std::vector<UsedBinding> used_bindings(std::span<const uint32_t> words);

}  // namespace spalt::icd
