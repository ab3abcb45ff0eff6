// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: blocks that are cut in two, with blocks of a pass between the parts.
#pragma once
#include <utility>

#include "base/id_map.h"
#include "ir/function.h"

namespace spalt::lower {

class CutBlocks {
 public:
  /// The blocks that are there now are the ones that may be cut.
  CutBlocks(ir::Function& function, Arena& scratch)
      : f_(function), old_blocks_(function.block_capacity()), tails_(scratch, old_blocks_) {}

  /// The terminator of `block` is in `last` now, and what belongs to it follows. The block's own edge is the one that
  /// was added last: to the first of the new blocks. A loop header keeps its loop.
  void move_terminator(ir::BlockId block, ir::BlockId last) {
    ir::Block& head = f_.edit_block(block);
    ir::Block& tail = f_.edit_block(last);
    const ir::BlockId next = head.succs.back();
    head.succs.pop_back();
    tail.succs = std::move(head.succs);
    tail.cases = std::move(head.cases);
    head.succs.clear();
    head.succs.push_back(next);
    head.cases.clear();
    if (!head.is_loop_header()) std::swap(head.merge, tail.merge);
    tails_[block] = last;
  }
  /// At the end, once the layout has all blocks: edges out of a block that was cut come from its last part. New blocks
  /// know their predecessors.
  void redirect_predecessors() {
    for (ir::BlockId block : f_.layout()) {
      if (block.index >= old_blocks_) continue;
      for (ir::BlockId& pred : f_.edit_block(block).preds) {
        if (pred.index < old_blocks_ && tails_[pred].valid()) pred = tails_[pred];
      }
    }
  }

 private:
  ir::Function& f_;
  const uint32_t old_blocks_;
  IdMap<ir::BlockId, ir::BlockId> tails_;  ///< by block that was cut: the part with its terminator
};

}  // namespace spalt::lower
