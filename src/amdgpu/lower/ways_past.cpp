// SPDX-License-Identifier: MIT
#include "amdgpu/lower/ways_past.h"

#include <algorithm>

namespace spalt::lower {
namespace {

using ir::BlockId;

struct Edge {
  uint32_t from, to;
};

}  // namespace

/// Keeps the edges that may still lead past a block, the last one to begin on top: one that begins earlier and leads no
/// further than a later one says nothing more. Back edges lead past nothing that is after their loop.
WaysPast::WaysPast(const ir::Function& function, const analysis::Loops& loops, Arena& scratch) : first_(scratch) {
  Vector<Edge> open(scratch);
  for (uint32_t position = 0; position < function.layout().size(); ++position) {
    while (!open.empty() && open.back().to <= position) open.pop_back();
    first_.push_back(open.empty() ? 0 : open.back().from + 1);
    uint32_t furthest = position;
    for (BlockId succ : function.block(function.layout()[position]).succs) {
      furthest = std::max(furthest, loops.position(succ));
    }
    if (furthest <= position + 1) continue;
    while (!open.empty() && open.back().to <= furthest) open.pop_back();
    open.push_back({position, furthest});
  }
}

}  // namespace spalt::lower
