// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/check/checked_locations.h"

#include <algorithm>

namespace spalt::regalloc {

using mir::BlockId;
using mir::Function;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

CheckedLocations::CheckedLocations(const Function& after, bool linear)
    : after_(after), home_(kRegisters - kFirstVgpr, kNone) {
  // The most that one value has.
  constexpr int64_t kDwords = 32;
  uint32_t homes = 0;
  int64_t slots = 0;
  for (BlockId id : after.layout) {
    for (InstId inst : after.blocks[id].insts) {
      const Opcode opcode = after.insts[inst].opcode;
      if (opcode == Opcode::p_spill_sgpr || opcode == Opcode::p_reload_sgpr) {
        const Operand& lanes = after.uses(inst).back();
        if (lanes.reg.is_vgpr() && home_[lanes.reg.vgpr_index()] == kNone) home_[lanes.reg.vgpr_index()] = homes++;
      }
      if (opcode == Opcode::p_spill_sgpr_scratch || opcode == Opcode::p_reload_sgpr_scratch) {
        rows_.emplace(after.uses(inst).back().value, static_cast<uint32_t>(rows_.size()));
      }
      if (opcode == Opcode::p_spill_vgpr || opcode == Opcode::p_reload_vgpr) {
        slots = std::max<int64_t>(slots, int64_t{after.insts[inst].simm16} + kDwords);
      }
    }
  }
  rows_begin_ = kRegisters + homes * after.wave_size;
  slots_begin_ = rows_begin_ + static_cast<uint32_t>(rows_.size()) * after.wave_size;
  count_ = slots_begin_ + static_cast<uint32_t>(linear ? 0 : slots);
}

uint32_t CheckedLocations::lane(InstId inst, unsigned dword) const {
  const Operand& lanes = after_.uses(inst).back();
  return kRegisters + home_[lanes.reg.vgpr_index()] * after_.wave_size +
         static_cast<uint32_t>(after_.insts[inst].simm16) + dword;
}

uint32_t CheckedLocations::scratch_lane(InstId inst, unsigned dword) const {
  return rows_begin_ + rows_.at(after_.uses(inst).back().value) * after_.wave_size +
         static_cast<uint32_t>(after_.insts[inst].simm16) + dword;
}

uint32_t CheckedLocations::slot(InstId inst, unsigned dword) const {
  return slots_begin_ + static_cast<uint32_t>(after_.insts[inst].simm16) + dword;
}

CheckedLocations::Range CheckedLocations::lanes_of(uint32_t location) const {
  if (location < kFirstVgpr || location >= kRegisters || home_[location - kFirstVgpr] == kNone) return {};
  const uint32_t first = kRegisters + home_[location - kFirstVgpr] * after_.wave_size;
  return {first, first + after_.wave_size};
}

}  // namespace spalt::regalloc
