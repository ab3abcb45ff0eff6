// SPDX-License-Identifier: MIT
#include "analysis/loops.h"

namespace spalt::analysis {

using ir::BlockId;

Loops::Loops(const ir::Function& function)
    : positions_(layout_positions(function)), innermost_(function.block_capacity(), kNoLoop) {
  find_loops(function);
  find_exits(function);
}

void Loops::find_loops(const ir::Function& function) {
  const auto& layout = function.layout();
  std::vector<uint32_t> open;
  for (uint32_t position = 0; position < layout.size(); ++position) {
    while (!open.empty() && loops_[open.back()].last < position) open.pop_back();
    uint32_t last = kNoPosition;
    for (BlockId pred : function.block(layout[position]).preds) {
      const uint32_t from = positions_[pred];
      if (from == kNoPosition || from < position) continue;
      last = last == kNoPosition ? from : std::max(last, from);
    }
    if (last != kNoPosition) {
      Loop loop{layout[position], position, last, kNoLoop, 1};
      if (!open.empty()) {
        loop.parent = open.back();
        loop.depth = loops_[open.back()].depth + 1;
      }
      open.push_back(size());
      loops_.push_back(loop);
    }
    if (!open.empty()) innermost_[layout[position]] = open.back();
  }
}

void Loops::find_exits(const ir::Function& function) {
  if (loops_.empty()) return;
  // An edge leaves every loop from the innermost around its source outward until one contains its target: count, then
  // fill.
  exit_begin_.assign(loops_.size() + 1, 0);
  const auto each_exit = [&](auto&& visit) {
    for (BlockId block : function.layout()) {
      for (BlockId succ : function.block(block).succs) {
        for (uint32_t loop = innermost_[block]; loop != kNoLoop && !contains(loop, succ); loop = loops_[loop].parent) {
          visit(loop, Edge{block, succ});
        }
      }
    }
  };
  each_exit([&](uint32_t loop, Edge) { ++exit_begin_[loop + 1]; });
  for (size_t i = 1; i < exit_begin_.size(); ++i) exit_begin_[i] += exit_begin_[i - 1];
  exits_.resize(exit_begin_.back());
  std::vector<uint32_t> next(exit_begin_.begin(), exit_begin_.end() - 1);
  each_exit([&](uint32_t loop, Edge edge) { exits_[next[loop]++] = edge; });
}

}  // namespace spalt::analysis
