// SPDX-License-Identifier: MIT
#include "analysis/dominance.h"

namespace spalt::analysis {

using ir::BlockId;

void Dominance::compute(const ir::Function& function) {
  nodes_.assign(function.block_capacity(), Node());
  bool entry = true;
  for (BlockId block : function.layout()) {
    if (entry) {
      add(block, BlockId());
      entry = false;
      continue;
    }
    // Only blocks that were already added are forward predecessors; a back edge comes from later in the layout.
    BlockId idom;
    for (BlockId pred : function.block(block).preds) {
      if (!reachable(pred)) continue;
      idom = idom.valid() ? common(idom, pred) : pred;
    }
    if (idom.valid()) add(block, idom);
  }
  number(function);
}

void Dominance::add(BlockId block, BlockId idom) {
  Node& node = nodes_[block];
  node.idom = idom;
  if (!idom.valid()) {
    node.skip = block;
    return;
  }
  const Node& parent = nodes_[idom];
  const Node& jump = nodes_[parent.skip];
  node.depth = parent.depth + 1;
  // Two equally long skips in a row merge into one that is twice as long.
  node.skip = parent.depth - jump.depth == jump.depth - nodes_[jump.skip].depth ? jump.skip : idom;
}

BlockId Dominance::common(BlockId a, BlockId b) const {
  if (nodes_[a].depth < nodes_[b].depth) std::swap(a, b);
  while (nodes_[a].depth > nodes_[b].depth) {
    a = nodes_[nodes_[a].skip].depth >= nodes_[b].depth ? nodes_[a].skip : nodes_[a].idom;
  }
  // Equal depth means equal skip lengths from here on.
  while (a != b) {
    const bool far = nodes_[a].skip != nodes_[b].skip;
    a = far ? nodes_[a].skip : nodes_[a].idom;
    b = far ? nodes_[b].skip : nodes_[b].idom;
  }
  return a;
}

void Dominance::number(const ir::Function& function) {
  // Subtree sizes bottom up, then preorder numbers top down: a parent comes before its children in the layout.
  const ir::BlockList& layout = function.layout();
  // Until a node gets its interval, `leave` counts what is at and below it.
  for (BlockId block : layout) nodes_[block].leave = 1;
  for (size_t i = layout.size(); i-- > 1;) {
    const Node& node = nodes_[layout[i]];
    if (node.idom.valid()) nodes_[node.idom].leave += node.leave;
  }
  for (BlockId block : layout) {
    Node& node = nodes_[block];
    if (!node.skip.valid()) continue;
    const uint32_t size = node.leave;
    if (node.idom.valid()) {
      Node& parent = nodes_[node.idom];
      node.enter = parent.next;
      parent.next += size;
    }
    node.leave = node.enter + size - 1;
    node.next = node.enter + 1;
  }
}

}  // namespace spalt::analysis
