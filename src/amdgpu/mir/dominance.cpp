// SPDX-License-Identifier: MIT
#include "amdgpu/mir/dominance.h"

#include <algorithm>
#include <vector>

namespace spalt::mir {
namespace {

struct Visit {
  BlockId block;
  uint32_t next = 0;
};

/// T. Lengauer, R. Tarjan: A Fast Algorithm for Finding Dominators in a Flowgraph (1979), the version with path
/// compression only. Blocks are named by their number in a depth-first search.
class DominatorTree {
 public:
  DominatorTree(const Function& function, Graph graph, Arena* arena)
      : function_(function), graph_(graph), scratch_(arena) {
    search();
  }

  const Vector<BlockId>& order() const { return order_; }

  /// Immediate dominators by number; that of the entry is itself.
  Vector<uint32_t> run() {
    const auto count = static_cast<uint32_t>(order_.size());
    idom_.assign(count, 0);
    semi_.resize(count);
    for (uint32_t i = 0; i < count; ++i) semi_[i] = i;
    best_.assign(semi_);
    ancestor_.assign(count, kNone);
    Vector<uint32_t> bucket(count, kNone, scratch_),
        next(count, kNone, scratch_);  // blocks by semidominator, as linked lists
    for (uint32_t i = count; i-- > 1;) {
      for (BlockId pred : preds_of(function_.blocks[order_[i]], graph_)) {
        if (number_[pred.index] != kNone) semi_[i] = std::min(semi_[i], semi_[evaluate(number_[pred.index])]);
      }
      next[i] = bucket[semi_[i]];
      bucket[semi_[i]] = i;
      const uint32_t parent = parent_[i];
      ancestor_[i] = parent;
      for (uint32_t v = bucket[parent]; v != kNone; v = next[v]) {
        const uint32_t u = evaluate(v);
        idom_[v] = semi_[u] < semi_[v] ? u : parent;
      }
      bucket[parent] = kNone;
    }
    for (uint32_t i = 1; i < count; ++i) {
      if (idom_[i] != semi_[i]) idom_[i] = idom_[idom_[i]];
    }
    return std::move(idom_);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  void search() {
    number_.assign(function_.blocks.size(), kNone);
    if (function_.layout.empty()) return;
    Vector<Visit> stack(scratch_);
    const auto enter = [&](BlockId block, uint32_t parent) {
      number_[block.index] = static_cast<uint32_t>(order_.size());
      order_.push_back(block);
      parent_.push_back(parent);
      stack.push_back({block});
    };
    enter(function_.layout[0], 0);
    while (!stack.empty()) {
      Visit& top = stack.back();
      const auto succs = succs_of(function_.blocks[top.block], graph_);
      if (top.next == succs.size()) {
        stack.pop_back();
        continue;
      }
      const BlockId succ = succs[top.next++];
      if (number_[succ.index] == kNone) enter(succ, number_[top.block.index]);
    }
  }

  /// The block with the lowest semidominator on the way from `v` up to, not including, the root of its tree.
  uint32_t evaluate(uint32_t v) {
    if (ancestor_[v] == kNone) return v;
    path_.clear();
    for (uint32_t at = v; ancestor_[ancestor_[at]] != kNone; at = ancestor_[at]) path_.push_back(at);
    for (size_t i = path_.size(); i-- > 0;) {
      const uint32_t at = path_[i], above = ancestor_[at];
      if (semi_[best_[above]] < semi_[best_[at]]) best_[at] = best_[above];
      ancestor_[at] = ancestor_[above];
    }
    return best_[v];
  }

  const Function& function_;
  const Graph graph_;
  Arena* const scratch_;
  Vector<BlockId> order_{scratch_};    ///< preorder of the search
  Vector<uint32_t> number_{scratch_};  ///< by block id: place in order_
  Vector<uint32_t> parent_{scratch_};  ///< in the tree of the search
  Vector<uint32_t> idom_{scratch_}, semi_{scratch_};
  Vector<uint32_t> ancestor_{scratch_}, best_{scratch_};  ///< forest of the blocks that are done, its paths compressed
  Vector<uint32_t> path_{scratch_};
};

}  // namespace

Dominance::Dominance(const Function& function, Graph graph, Arena* arena)
    : idom_(function.blocks.size(), BlockId(), arena),
      enter_(function.blocks.size(), 0, arena),
      leave_(function.blocks.size(), 0, arena) {
  DominatorTree tree(function, graph, arena);
  const Vector<uint32_t> idom = tree.run();
  const Vector<BlockId>& order = tree.order();
  for (uint32_t i = 0; i < order.size(); ++i) idom_[order[i].index] = order[idom[i]];
  // Subtree sizes, then preorder numbers: a dominator comes before what it dominates.
  Vector<uint32_t> size(order.size(), 1, arena), next(order.size(), 0, arena);
  for (size_t i = order.size(); i-- > 1;) size[idom[i]] += size[i];
  for (size_t i = 0; i < order.size(); ++i) {
    const uint32_t enter = i == 0 ? 1 : next[idom[i]];
    if (i != 0) next[idom[i]] += size[i];
    next[i] = enter + 1;
    enter_[order[i].index] = enter;
    leave_[order[i].index] = enter + size[i] - 1;
  }
}

bool has_back_edge(const Function& function, Graph graph, Arena* scratch) {
  IdMap<BlockId, bool> passed(scratch, function.blocks.size(), false);
  for (BlockId id : function.layout) {
    passed[id] = true;
    for (BlockId succ : succs_of(function.blocks[id], graph)) {
      if (passed[succ]) return true;
    }
  }
  return false;
}

}  // namespace spalt::mir
