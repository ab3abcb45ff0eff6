// SPDX-License-Identifier: MIT
#include "amdgpu/lower/ways_past.h"

#include <algorithm>

namespace spalt::lower {
namespace {

using ir::BlockId;

struct Edge {
  uint32_t from, to;
};

/// Keeps the edges that may still lead past a block, the last one to begin on top: one that begins earlier and leads no
/// further than a later one says nothing more. Back edges lead past nothing that is after their loop.
void find_first(const ir::Function& function, const analysis::Loops& loops, BlockId exit, Vector<uint32_t>& first,
                Arena& scratch) {
  Vector<Edge> open(scratch);
  for (uint32_t position = 0; position < function.layout().size(); ++position) {
    while (!open.empty() && open.back().to <= position) open.pop_back();
    first.push_back(open.empty() ? 0 : open.back().from + 1);
    uint32_t furthest = position;
    for (BlockId succ : function.block(function.layout()[position]).succs) {
      if (succ != exit) furthest = std::max(furthest, loops.position(succ));
    }
    if (furthest <= position + 1) continue;
    while (!open.empty() && open.back().to <= furthest) open.pop_back();
    open.push_back({position, furthest});
  }
}

}  // namespace

WaysPast::WaysPast(const ir::Function& function, const analysis::Loops& loops, Arena& scratch)
    : first_(scratch), first_of_unfinished_(scratch) {
  find_first(function, loops, BlockId(), first_, scratch);
  const BlockId last = function.layout().back();
  const bool only_returns = function.inst(function.block(last).first).op == ir::Op::ret;
  find_first(function, loops, only_returns ? last : BlockId(), first_of_unfinished_, scratch);
}

}  // namespace spalt::lower
