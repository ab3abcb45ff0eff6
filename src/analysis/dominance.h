// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "base/id_map.h"
#include "ir/function.h"

namespace spalt::analysis {

/// The dominator tree.
///
/// Requires the layout invariant of ir::Function. It makes one pass enough: the forward predecessors of a block come
/// before it, and a back edge never changes the immediate dominator of a loop header that is its only entry. The
/// immediate dominator is the nearest common ancestor of the forward predecessors, found with skip pointers
/// (Myers, "An applicative random-access stack", 1983), so construction costs O(edges * log blocks) and no recursion.
///
/// Blocks that cannot be reached have no dominator, dominate nothing but themselves and are dominated by nothing else.
class Dominance {
 public:
  explicit Dominance(const ir::Function& function);

  bool reachable(ir::BlockId block) const { return nodes_[block].reachable; }
  /// None for the entry and for unreachable blocks.
  ir::BlockId idom(ir::BlockId block) const { return nodes_[block].idom; }
  /// Distance from the entry in the tree.
  uint32_t depth(ir::BlockId block) const { return nodes_[block].depth; }
  /// True also for a == b.
  bool dominates(ir::BlockId a, ir::BlockId b) const {
    const Node& up = nodes_[a];
    const Node& low = nodes_[b];
    return a == b || (up.reachable && low.reachable && up.enter <= low.enter && low.leave <= up.leave);
  }
  ir::BlockId common(ir::BlockId a, ir::BlockId b) const;

 private:
  struct Node {
    ir::BlockId idom, skip;
    uint32_t depth = 0;
    uint32_t enter = 0, leave = 0;  ///< interval of the preorder numbers below this block
    bool reachable = false;
  };
  void add(ir::BlockId block, ir::BlockId idom);
  void number(const ir::Function& function);

  IdMap<ir::BlockId, Node> nodes_;
};

/// True if the definition of `value` is available at the start of an instruction in `block`, instructions of the same
/// block apart. Values without a block are available everywhere.
inline bool available_in(const ir::Function& function, const Dominance& dominance, ir::Value value, ir::BlockId block) {
  const ir::BlockId home = function.inst(value).block;
  return !home.valid() || dominance.dominates(home, block);
}

}  // namespace spalt::analysis
