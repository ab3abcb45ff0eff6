// SPDX-License-Identifier: MIT
#include "analysis/loops.h"

namespace spalt::analysis {

using ir::BlockId;

void Loops::compute(const ir::Function& function) {
  const ir::BlockList& layout = function.layout();
  positions_.assign(function.block_capacity(), kNoPosition);
  for (uint32_t position = 0; position < layout.size(); ++position) positions_[layout[position]] = position;
  loops_.clear();
  exits_.clear();
  exit_begin_.clear();
  innermost_.assign(0, kNoLoop);
  find_loops(function);
  if (loops_.empty()) return;
  find_innermost(function);
  find_exits(function);
}

void Loops::find_loops(const ir::Function& function) {
  const ir::BlockList& layout = function.layout();
  uint32_t around = kNoLoop;  // the innermost loop that has not ended
  for (uint32_t position = 0; position < layout.size(); ++position) {
    uint32_t last = kNoPosition;
    for (BlockId pred : function.block(layout[position]).preds) {
      const uint32_t from = positions_[pred];
      if (from == kNoPosition || from < position) continue;
      last = last == kNoPosition ? from : std::max(last, from);
    }
    if (last == kNoPosition) continue;
    while (around != kNoLoop && loops_[around].last < position) around = loops_[around].parent;
    const uint32_t depth = around == kNoLoop ? 1 : loops_[around].depth + 1;
    loops_.push_back({layout[position], position, last, around, depth});
    around = size() - 1;
  }
}

void Loops::find_innermost(const ir::Function& function) {
  innermost_.assign(function.block_capacity(), kNoLoop);
  const ir::BlockList& layout = function.layout();
  uint32_t around = kNoLoop, next = 0;
  for (uint32_t position = loops_[0].first; position < layout.size(); ++position) {
    while (around != kNoLoop && loops_[around].last < position) around = loops_[around].parent;
    if (next < size() && loops_[next].first == position) around = next++;
    innermost_[layout[position]] = around;
  }
}

void Loops::find_exits(const ir::Function& function) {
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
  for (uint32_t i = 1; i < exit_begin_.size(); ++i) exit_begin_[i] += exit_begin_[i - 1];
  exits_.resize(exit_begin_.back());
  // Filling moves each start to the end of its part, which is where the next part starts.
  each_exit([&](uint32_t loop, Edge edge) { exits_[exit_begin_[loop]++] = edge; });
  for (uint32_t i = size(); i > 0; --i) exit_begin_[i] = exit_begin_[i - 1];
  exit_begin_[0] = 0;
}

}  // namespace spalt::analysis
