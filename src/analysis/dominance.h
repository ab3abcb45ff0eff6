// SPDX-License-Identifier: MIT
#pragma once
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
  /// `arena` (the heap if null) has the tables. Of no function yet.
  explicit Dominance(Arena* arena = nullptr) : nodes_(arena) {}
  explicit Dominance(const ir::Function& function, Arena* arena = nullptr) : nodes_(arena) { compute(function); }
  /// Forgets what was known before. Tables that are large enough stay.
  void compute(const ir::Function& function);

  bool operator==(const Dominance& other) const = default;

  bool reachable(ir::BlockId block) const { return nodes_[block].skip.valid(); }
  /// None for the entry and for unreachable blocks.
  ir::BlockId idom(ir::BlockId block) const { return nodes_[block].idom; }
  /// Distance from the entry in the tree.
  uint32_t depth(ir::BlockId block) const { return nodes_[block].depth; }
  /// True also for a == b.
  bool dominates(ir::BlockId a, ir::BlockId b) const {
    const Node& up = nodes_[a];
    const Node& low = nodes_[b];
    return a == b || (up.enter <= low.enter && low.leave <= up.leave && reachable(a) && reachable(b));
  }
  ir::BlockId common(ir::BlockId a, ir::BlockId b) const;

 private:
  struct Node {
    ir::BlockId idom;
    ir::BlockId skip;  ///< none where the block cannot be reached
    uint32_t depth = 0;
    uint32_t enter = 0, leave = 0;  ///< interval of the preorder numbers below this block
    uint32_t next = 0;              ///< while numbering: where the next child's interval starts
    bool operator==(const Node&) const = default;
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
