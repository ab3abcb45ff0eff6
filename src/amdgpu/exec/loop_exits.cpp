// SPDX-License-Identifier: MIT
#include "amdgpu/exec/loop_exits.h"

#include <algorithm>
#include <vector>

namespace spalt::exec {

LoopExits::LoopExits(const mir::Function& function, const Plan& plan, Arena& scratch)
    : plan_(plan),
      loop_of_(scratch, plan.blocks.size(), kNoPosition),
      parent_loop_(scratch, plan.blocks.size(), kNoPosition),
      exits_(scratch, plan.blocks.size(), Vector<uint32_t>(scratch)) {
  const uint32_t count = plan.blocks.size();
  Vector<uint32_t> open(scratch);  // headers of the loops around position p, innermost last
  for (uint32_t p = 0; p < count; ++p) {
    while (!open.empty() && plan.blocks[open.back()].loop_end < p) open.pop_back();
    if (plan.blocks[p].loop_end != kNoPosition) {
      if (!open.empty()) parent_loop_[p] = open.back();
      open.push_back(p);
    }
    if (!open.empty()) loop_of_[p] = open.back();
    const auto& succs = function.blocks[function.layout[p]].logical_succs;
    for (unsigned i = 0; i < succs.size(); ++i) {
      if (plan.blocks[p].succ[i] != EdgeKind::park) continue;
      const uint32_t target = plan.position[succs[i].index];
      for (size_t l = open.size(); l-- > 0 && target > plan.blocks[open[l]].loop_end;) {
        auto& exits = exits_[open[l]];
        if (std::find(exits.begin(), exits.end(), target) == exits.end()) exits.push_back(target);
      }
    }
  }
}

bool LoopExits::waits_since_entry(uint32_t from, uint32_t target) const {
  for (uint32_t l = loop_of_[from]; l != kNoPosition; l = parent_loop_[l]) {
    if (plan_.blocks[l].closed_exit == target) return true;
  }
  return false;
}

}  // namespace spalt::exec
