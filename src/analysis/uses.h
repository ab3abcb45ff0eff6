// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "base/id_map.h"
#include "ir/function.h"

namespace spalt::analysis {

/// For every value the instructions that read it, in layout order; an instruction appears once per operand. Flat
/// arrays, filled in two sweeps over the linked instructions: O(operands). Goes stale with any change.
class Uses {
 public:
  /// `arena` (the heap if null) has the tables. Without `numbers`, `operands_of` may not be asked.
  explicit Uses(const ir::Function& function, bool numbers = true, Arena* arena = nullptr);

  std::span<const ir::Value> of(ir::Value value) const { return {users_.data() + begin_[value.index], count(value)}; }
  /// For each entry of of(value): which operand of that instruction it is.
  std::span<const uint32_t> operands_of(ir::Value value) const {
    return {operands_.data() + begin_[value.index], count(value)};
  }
  uint32_t count(ir::Value value) const { return begin_[value.index + 1] - begin_[value.index]; }
  bool unused(ir::Value value) const { return count(value) == 0; }

 private:
  Vector<uint32_t> begin_;
  Vector<ir::Value> users_;
  Vector<uint32_t> operands_;
};

}  // namespace spalt::analysis
