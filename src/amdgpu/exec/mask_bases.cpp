// SPDX-License-Identifier: MIT
#include "amdgpu/exec/mask_bases.h"

#include <algorithm>
#include <vector>

namespace spalt::exec {

using mir::BlockId;
using mir::InstId;
using mir::Operand;

Operand MaskBases::choose(uint32_t position, InstId phi) {
  const auto uses = function_.uses(phi);
  const auto count = [&](auto&& matches) { return std::count_if(uses.begin(), uses.end(), matches); };
  const auto zeros = count([](const Operand& use) { return use.is_imm() && use.value == 0; });
  const auto ones = count([](const Operand& use) { return use.is_imm() && use.value != 0; });
  Operand base = Operand::immediate(ones > zeros ? 0xffffffffu : 0);
  auto most = std::max({zeros, ones, decltype(zeros){1}});
  times_.resize(function_.vregs.size(), 0);
  for (const Operand& mask : uses) {
    if (mask.is_vreg()) ++times_[mask.value];
  }
  for (const Operand& mask : uses) {
    if (!mask.is_vreg() || times_[mask.value] <= most || !can_be_base(mask, position)) continue;
    base = mask;
    most = times_[mask.value];
  }
  for (const Operand& mask : uses) {
    if (mask.is_vreg()) times_[mask.value] = 0;
  }
  return base;
}

/// Its bits must be right for a lane from where it leaves for the block until it arrives: the definition is passed once
/// before the block, in the same iteration of the same loops.
bool MaskBases::can_be_base(const Operand& mask, uint32_t position) {
  if (!dominance_) index_definitions();
  const uint32_t def = def_position_[mask.value];
  if (def == position || !dominance_->dominates(function_.layout[def], function_.layout[position])) return false;
  const uint32_t loop = loop_of_[def];
  return loop == kNoPosition || position <= plan_.blocks[loop].loop_end;
}

void MaskBases::index_definitions() {
  dominance_.emplace(function_, mir::Graph::logical, &scratch_);
  const uint32_t count = static_cast<uint32_t>(function_.layout.size());
  def_position_.assign(function_.vregs.size(), 0);
  loop_of_.assign(count, kNoPosition);
  Vector<uint32_t> open(scratch_);  // headers of the loops around position p, innermost last
  for (uint32_t p = 0; p < count; ++p) {
    while (!open.empty() && plan_.blocks[open.back()].loop_end < p) open.pop_back();
    if (plan_.blocks[p].loop_end != kNoPosition) open.push_back(p);
    if (!open.empty()) loop_of_[p] = open.back();
    for (InstId inst : function_.blocks[function_.layout[p]].insts) {
      for (const Operand& def : function_.defs(inst)) {
        if (def.is_vreg()) def_position_[def.value] = p;
      }
    }
  }
}

}  // namespace spalt::exec
