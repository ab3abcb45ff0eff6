// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/physical_ranges.h"

#include <algorithm>

#include "amdgpu/regalloc/assign.h"

namespace spalt::regalloc {
namespace {

using mir::Operand;

bool overlap(const Operand& a, const Operand& b) {
  return a.kind == Operand::Kind::reg && b.kind == Operand::Kind::reg && a.reg < b.reg.offset(b.dwords) &&
         b.reg < a.reg.offset(a.dwords);
}

}  // namespace

void PhysicalRanges::start_block() {
  ranges_.clear();
  occupied_ = RegisterSet();
}

void PhysicalRanges::advance(mir::BlockId block, uint32_t position, mir::InstId inst) {
  for (const Operand& def : function_.defs(inst)) {
    if (!is_file_register(file_, def)) continue;
    erase_if(ranges_, [&def](const Range& range) { return overlap(range.reg, def); });
    const uint32_t last = last_use(block, position, def);
    if (last > position) ranges_.push_back({def, last});
  }
  erase_if(ranges_, [position](const Range& range) { return range.last <= position; });
  occupied_ = RegisterSet();
  for (const Range& range : ranges_) occupied_.add(index_of(file_, range.reg.reg), range.reg.dwords);
}

uint32_t PhysicalRanges::last_use(mir::BlockId block, uint32_t position, const Operand& reg) const {
  const auto& insts = function_.blocks[block].insts;
  const auto overlaps = [&reg](const Operand& other) { return overlap(reg, other); };
  uint32_t last = position;
  for (uint32_t i = position + 1; i < insts.size(); ++i) {
    const auto uses = function_.uses(insts[i]);
    if (std::any_of(uses.begin(), uses.end(), overlaps)) last = i;
    const auto defs = function_.defs(insts[i]);
    if (std::any_of(defs.begin(), defs.end(), overlaps)) break;
  }
  return last;
}

}  // namespace spalt::regalloc
