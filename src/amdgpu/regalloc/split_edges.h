// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::regalloc {

/// Puts new blocks on edges of the linear graph. Layout is brought up to date by finish(): each new block stands before
/// its target, so that the way back to a loop header falls through into it; what fell through before jumps over the new
/// block.
class EdgeSplitter {
 public:
  EdgeSplitter(mir::Function& function, Arena& scratch) : function_(function), scratch_(scratch) {}

  /// Splits the edge from `from` to its successor number `succ`, where it is predecessor number `slot`. The new block
  /// ends in its jump; code may be put before it.
  mir::BlockId split(mir::BlockId from, size_t succ, size_t slot);
  void finish();

 private:
  struct Added {
    mir::BlockId block, before;
  };
  mir::Function& function_;
  Arena& scratch_;
  Vector<Added> added_{scratch_};
};

/// Splits the linear edges from a block with several successors to a block with SGPR phis and several predecessors, so
/// that the stores of spilled phis have a place. The exec stage leaves none; returns whether there were any.
bool split_edges_to_phis(mir::Function& function, Arena& scratch);

}  // namespace spalt::regalloc
