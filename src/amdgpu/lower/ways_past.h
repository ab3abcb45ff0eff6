// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: which blocks the same lanes come to.
#pragma once
#include "analysis/loops.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// From which earlier blocks all lanes come to a block, because no edge between the two leads past it. Blocks and edges
/// are looked at in layout order, once.
class WaysPast {
 public:
  WaysPast(const ir::Function& function, const analysis::Loops& loops, Arena& scratch);

  /// The lanes of a dominator whose position is this one or a later one, if it is in no loop that the block is not in,
  /// all come to the block at `position`.
  uint32_t first(uint32_t position) const { return first_[position]; }

 private:
  Vector<uint32_t> first_;
};

}  // namespace spalt::lower
