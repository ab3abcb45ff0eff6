// SPDX-License-Identifier: MIT
#include "passes/split_critical_edges.h"

#include "ir/cfg_edit.h"

namespace spalt::passes {

using ir::BlockId;

namespace {

bool has_critical_edge(const ir::Function& function) {
  for (BlockId block : function.layout()) {
    const auto& succs = function.block(block).succs;
    if (succs.size() < 2) continue;
    for (BlockId succ : succs) {
      if (function.block(succ).preds.size() > 1) return true;
    }
  }
  return false;
}

}  // namespace

bool split_critical_edges(ir::Function& function, CompileContext& context) {
  if (!has_critical_edge(function)) return false;
  const ArenaScope scope(context.scratch);
  ir::BlockList layout(context.scratch);
  const ir::BlockList old(function.layout(), &context.scratch);
  const ir::EdgeSlots slots = ir::edge_slots(function, &context.scratch);
  for (BlockId block : old) {
    layout.push_back(block);
    const unsigned count = function.block(block).succs.size();
    if (count < 2) continue;
    for (unsigned succ = 0; succ < count; ++succ) {
      if (function.block(function.block(block).succs[succ]).preds.size() < 2) continue;
      layout.push_back(ir::split_edge(function, block, succ, slots(block, succ)));
    }
  }
  function.edit_layout() = std::move(layout);
  return true;
}

}  // namespace spalt::passes
