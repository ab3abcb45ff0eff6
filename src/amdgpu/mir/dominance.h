// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::mir {

enum class Graph : uint8_t { logical, linear };

inline std::span<const BlockId> preds_of(const Block& block, Graph graph) {
  return graph == Graph::logical ? block.logical_preds.span() : block.linear_preds.span();
}
inline std::span<const BlockId> succs_of(const Block& block, Graph graph) {
  return graph == Graph::logical ? block.logical_succs.span() : block.linear_succs.span();
}
/// Whether some edge of the graph leads to its own block or to one before it in the layout. Where there is none, a walk
/// in layout order meets every predecessor first. `scratch`, or the heap, has a table.
bool has_back_edge(const Function& function, Graph graph, Arena* scratch = nullptr);

/// The graph that a register of this class follows. Before the exec stage there is only the logical one.
inline Graph graph_of(const Function& function, RegClass cls) {
  return cls.linear && function.stage != Stage::selected ? Graph::linear : Graph::logical;
}

/// Which blocks of one graph dominate which. Blocks that the entry does not reach are dominated by every block. Asks
/// nothing of the graph or the layout, since verifiers rely on it; O(edges * log blocks), no recursion.
class Dominance {
 public:
  /// `arena`, or the heap, has the tables.
  Dominance(const Function& function, Graph graph, Arena* arena = nullptr);
  bool reachable(BlockId block) const { return enter_[block.index] != 0; }
  /// Whether every path from the entry to `b` passes `a`; a block dominates itself.
  bool dominates(BlockId a, BlockId b) const {
    if (!reachable(b)) return true;
    return reachable(a) && enter_[a.index] <= enter_[b.index] && leave_[b.index] <= leave_[a.index];
  }
  /// The entry's is itself; blocks that the entry does not reach have none.
  BlockId idom(BlockId block) const { return idom_[block.index]; }

 private:
  Vector<BlockId> idom_;
  Vector<uint32_t> enter_, leave_;  ///< preorder numbers of the block and what it dominates; 0 = unreachable
};

}  // namespace spalt::mir
