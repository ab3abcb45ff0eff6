// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "analysis/loops.h"
#include "analysis/uses.h"

namespace spalt::analysis {

/// For every loop the values of its blocks that are read outside it, in layout order. Here a phi reads its operands in
/// its own block; no value leaves a loop on the way to a phi inside it.
///
/// A value of n nested loops is compared with those only that it leaves, so all together cost O(uses + blocks + values
/// * loops that they leave); walking each loop's blocks would cost instructions * depth. Goes stale with any change.
class Escapes {
 public:
  /// `arena` (the heap if null) has the tables.
  Escapes(const ir::Function& function, const Loops& loops, const Uses& uses, Arena* arena = nullptr);

  std::span<const ir::Value> of(uint32_t loop) const {
    return std::span<const ir::Value>(values_).subspan(begin_[loop], begin_[loop + 1] - begin_[loop]);
  }

 private:
  Vector<uint32_t> begin_;  ///< by loop, and the end
  Vector<ir::Value> values_;
};

}  // namespace spalt::analysis
