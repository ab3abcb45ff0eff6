// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/dominance.h"
#include "base/edge_slots.h"

namespace spalt::mir {

/// Where phis have their operand for an edge: see base/edge_slots.h.
using EdgeSlots = spalt::EdgeSlots<BlockId>;

/// `arena`, or the heap, has the tables.
inline EdgeSlots edge_slots(const Function& function, Graph graph, Arena* arena = nullptr) {
  return EdgeSlots(
      function.blocks.size(), function.layout, [&](BlockId id) { return preds_of(function.blocks[id], graph); },
      [&](BlockId id) { return succs_of(function.blocks[id], graph); }, arena);
}

}  // namespace spalt::mir
