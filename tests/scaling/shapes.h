// SPDX-License-Identifier: MIT
// Shaders in which one thing grows without bound: predecessors of one block, depth of a nest, length of a block. Where
// an algorithm is not linear, these show it.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace spalt::scaling {

/// A shader by what grows in it.
struct Shape {
  std::string_view name;
  /// The words of a module with `count` of what grows. Divergent: each lane decides for itself where it goes, else the
  /// wave does.
  std::vector<uint32_t> (*make)(uint32_t count, bool divergent);
};

std::span<const Shape> shapes();

/// Null if there is none of that name.
const Shape* find_shape(std::string_view name);

}  // namespace spalt::scaling
