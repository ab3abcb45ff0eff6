// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace spalt::golden {

/// A unified diff of two texts with three lines of context; empty if they are equal.
std::string unified_diff(std::string_view expected, std::string_view found);

}  // namespace spalt::golden
