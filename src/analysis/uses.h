// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "base/id_map.h"
#include "ir/function.h"

namespace spalt::analysis {

/// For every value the instructions that read it, in layout order; an instruction appears once per operand. Flat
/// arrays, filled in two sweeps over the linked instructions: O(operands). Goes stale with any change.
class Uses {
 public:
  /// Without `numbers`, `operands_of` may not be asked.
  explicit Uses(const ir::Function& function, bool numbers = true);

  std::span<const ir::Value> of(ir::Value value) const {
    return std::span<const ir::Value>(users_).subspan(begin_[value.index], count(value));
  }
  /// For each entry of of(value): which operand of that instruction it is.
  std::span<const uint32_t> operands_of(ir::Value value) const {
    return std::span<const uint32_t>(operands_).subspan(begin_[value.index], count(value));
  }
  uint32_t count(ir::Value value) const { return begin_[value.index + 1] - begin_[value.index]; }
  bool unused(ir::Value value) const { return count(value) == 0; }

 private:
  std::vector<uint32_t> begin_;
  std::vector<ir::Value> users_;
  std::vector<uint32_t> operands_;
};

}  // namespace spalt::analysis
