// SPDX-License-Identifier: MIT
#include <algorithm>

#include "amdgpu/exec/lower_control_flow.h"
#include "amdgpu/mir/edges.h"

namespace spalt::exec {
namespace {

using mir::BlockId;
using mir::Opcode;
using mir::Operand;

/// Whether the block is a jump from one other block.
bool is_plain_edge(const mir::Function& function, BlockId edge) {
  const mir::Block& block = function.blocks[edge];
  return block.insts.size() == 1 && function.insts[block.insts[0]].opcode == Opcode::p_branch &&
         block.logical_preds.size() == 1;
}

/// The block after `edge` if `edge` does nothing but lead there from one conditional branch.
BlockId behind(const mir::Function& function, std::span<const uint32_t> position, BlockId edge) {
  const mir::Block& block = function.blocks[edge];
  if (!is_plain_edge(function, edge)) return BlockId();
  const BlockId to = block.logical_succs[0];
  const auto& siblings = function.blocks[block.logical_preds[0]].logical_succs;
  const bool back_edge = position[to.index] <= position[edge.index];
  const bool has_phi = mir::is_phi(function.insts[function.blocks[to].insts[0]].opcode);
  const bool reached_twice = std::find(siblings.begin(), siblings.end(), to) != siblings.end();
  return siblings.size() != 2 || back_edge || has_phi || reached_twice ? BlockId() : to;
}

}  // namespace

void fold_empty_edges(mir::Function& function, CompileContext& context, std::span<const mir::LogicalEdge> kept_edges) {
  const ArenaScope scope(context.scratch);
  if (std::none_of(function.layout.begin(), function.layout.end(),
                   [&](BlockId id) { return is_plain_edge(function, id); })) {
    return;
  }
  Vector<uint32_t> position(context.scratch, function.blocks.size(), 0);
  for (uint32_t p = 0; p < function.layout.size(); ++p) position[function.layout[p].index] = p;
  const mir::EdgeSlots slots = mir::edge_slots(function, mir::Graph::logical, &context.scratch);
  erase_if(function.layout, [&](BlockId edge) {
    const BlockId to = behind(function, position, edge);
    if (!to.valid()) return false;
    const BlockId from = function.blocks[edge].logical_preds[0];
    const mir::LogicalEdge folded{from, to};
    if (std::find(kept_edges.begin(), kept_edges.end(), folded) != kept_edges.end()) return false;
    std::replace(function.blocks[from].logical_succs.begin(), function.blocks[from].logical_succs.end(), edge, to);
    function.blocks[to].logical_preds[slots(edge, 0)] = from;
    for (Operand& use : function.uses(function.blocks[from].insts.back())) {
      if (use.kind == Operand::Kind::block && use.block() == edge) use = Operand::target(to);
    }
    return true;
  });
}

}  // namespace spalt::exec
