// SPDX-License-Identifier: MIT
#include <algorithm>

#include "amdgpu/exec/lower_control_flow.h"
#include "amdgpu/exec/scalar_phis.h"
#include "amdgpu/mir/edges.h"

namespace spalt::exec {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

/// Whether scalar phis want a block on the edge.
bool wants_block(const mir::Function& function, BlockId from, BlockId to) {
  return function.blocks[from].linear_succs.size() > 1 && function.blocks[to].linear_preds.size() > 1 &&
         has_scalar_phi(function, to);
}

bool wants_any_block(const mir::Function& function) {
  return std::any_of(function.layout.begin(), function.layout.end(), [&](BlockId from) {
    const auto& succs = function.blocks[from].linear_succs;
    return std::any_of(succs.begin(), succs.end(), [&](BlockId to) { return wants_block(function, from, to); });
  });
}

BlockId split(mir::Function& function, BlockId from, uint32_t succ, uint32_t slot) {
  const BlockId middle = function.create_block();
  const BlockId to = function.blocks[from].linear_succs[succ];
  function.blocks[middle].loop_depth = function.blocks[to].loop_depth;
  const Operand target = Operand::target(to);
  function.append(middle, Opcode::p_jump, {}, std::span<const Operand>(&target, 1));
  function.blocks[from].linear_succs[succ] = middle;
  function.blocks[to].linear_preds[slot] = middle;
  function.blocks[middle].linear_preds.push_back(from);
  function.blocks[middle].linear_succs.push_back(to);
  for (Operand& use : function.uses(function.blocks[from].insts.back())) {
    if (use.kind == Operand::Kind::block && use.block() == to) use.value = middle.index;
  }
  return middle;
}

}  // namespace

void split_linear_edges(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (!wants_any_block(function)) return;
  Vector<uint32_t> position(context.scratch, function.blocks.size(), 0);
  for (uint32_t p = 0; p < function.layout.size(); ++p) position[function.layout[p].index] = p;
  const uint32_t count = static_cast<uint32_t>(function.layout.size());
  Vector<SmallVector<BlockId, 2>> before(context.scratch, count), after(context.scratch, count);
  const mir::EdgeSlots slots = mir::edge_slots(function, mir::Graph::linear, &context.scratch);
  for (uint32_t p = 0; p < count; ++p) {
    const BlockId from = function.layout[p];
    for (uint32_t i = 0; i < function.blocks[from].linear_succs.size(); ++i) {
      const BlockId to = function.blocks[from].linear_succs[i];
      if (!wants_block(function, from, to)) continue;
      const uint32_t target = position[to.index];
      // A back edge stays inside its loop; a forward edge block stands before its target, so the layout stays
      // topological.
      (target <= p ? after[p] : before[target]).push_back(split(function, from, i, slots(from, i)));
    }
  }
  mir::BlockList layout(context.scratch);
  layout.reserve(function.blocks.size());
  for (uint32_t p = 0; p < count; ++p) {
    layout.insert(layout.end(), before[p].begin(), before[p].end());
    layout.push_back(function.layout[p]);
    layout.insert(layout.end(), after[p].begin(), after[p].end());
  }
  function.layout.assign(layout);
}

}  // namespace spalt::exec
