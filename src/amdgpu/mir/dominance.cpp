// SPDX-License-Identifier: MIT
#include "amdgpu/mir/dominance.h"

#include <algorithm>

namespace spalt::mir {
namespace {

struct Visit {
  BlockId block;
  uint32_t next = 0;
};

std::vector<BlockId> reverse_postorder(const Function& function, Graph graph) {
  std::vector<BlockId> order;
  if (function.layout.empty()) return order;
  std::vector<bool> seen(function.blocks.size(), false);
  std::vector<Visit> stack{{function.layout[0]}};
  seen[function.layout[0].index] = true;
  while (!stack.empty()) {
    Visit& top = stack.back();
    const auto succs = succs_of(function.blocks[top.block], graph);
    if (top.next == succs.size()) {
      order.push_back(top.block);
      stack.pop_back();
      continue;
    }
    const BlockId succ = succs[top.next++];
    if (seen[succ.index]) continue;
    seen[succ.index] = true;
    stack.push_back({succ});
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

/// K. Cooper, T. Harvey, K. Kennedy: A Simple, Fast Dominance Algorithm (2001).
Dominance::Dominance(const Function& function, Graph graph) {
  const size_t count = function.blocks.size();
  idom_.assign(count, BlockId());
  enter_.assign(count, 0);
  leave_.assign(count, 0);
  const std::vector<BlockId> order = reverse_postorder(function, graph);
  if (order.empty()) return;
  std::vector<uint32_t> position(count, 0xffffffffu);
  for (uint32_t i = 0; i < order.size(); ++i) position[order[i].index] = i;
  idom_[order[0].index] = order[0];
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = 1; i < order.size(); ++i) {
      BlockId meet;
      for (BlockId pred : preds_of(function.blocks[order[i]], graph)) {
        if (!idom_[pred.index].valid()) continue;
        BlockId other = pred;
        while (meet.valid() && meet != other) {
          if (position[meet.index] > position[other.index]) {
            meet = idom_[meet.index];
          } else {
            other = idom_[other.index];
          }
        }
        meet = other;
      }
      if (idom_[order[i].index] == meet) continue;
      idom_[order[i].index] = meet;
      changed = true;
    }
  }
  number_tree(order);
}

void Dominance::number_tree(const std::vector<BlockId>& order) {
  std::vector<std::vector<BlockId>> children(idom_.size());
  for (size_t i = 1; i < order.size(); ++i) children[idom_[order[i].index].index].push_back(order[i]);
  uint32_t clock = 1;
  std::vector<Visit> stack{{order[0]}};
  enter_[order[0].index] = clock++;
  while (!stack.empty()) {
    Visit& top = stack.back();
    const auto& below = children[top.block.index];
    if (top.next == below.size()) {
      leave_[top.block.index] = clock++;
      stack.pop_back();
      continue;
    }
    const BlockId child = below[top.next++];
    enter_[child.index] = clock++;
    stack.push_back({child});
  }
}

}  // namespace spalt::mir
