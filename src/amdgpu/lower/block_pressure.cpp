// SPDX-License-Identifier: MIT
#include "amdgpu/lower/block_pressure.h"

#include <algorithm>

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::Value;

RegisterDemand demand_of(const ir::Function& function, const analysis::Divergence& divergence, Value value,
                         unsigned wave_size) {
  const ir::Inst& inst = function.inst(value);
  RegisterDemand demand;
  if (inst.type.is_none()) return demand;
  const bool divergent = divergence.divergent(value);
  if (inst.type.is_bool()) {
    demand.sgprs = divergent ? static_cast<int32_t>(wave_size / 32) : 1;
    return demand;
  }
  const auto dwords = static_cast<int32_t>((inst.type.bits() + 31) / 32);
  const bool computed_float = ir::group(inst.op) == ir::OpGroup::floating;
  (divergent || computed_float || ir::is_image(inst.op) ? demand.vgprs : demand.sgprs) = dwords;
  return demand;
}

BlockPressure::BlockPressure(const ir::Function& function, const analysis::Divergence& divergence,
                             const analysis::Loops& loops, unsigned wave_size, Arena& scratch)
    : begin_(scratch),
      end_(scratch, function.value_capacity(), 0u),
      uses_(scratch, function.value_capacity(), 0u),
      peaks_(scratch, function.layout().size()),
      starts_(scratch, function.layout().size()) {
  number(function);
  find_ends(function, loops);
  sweep(function, divergence, wave_size, scratch);
}

void BlockPressure::number(const ir::Function& function) {
  uint32_t number = 0;
  for (BlockId block : function.layout()) {
    begin_.push_back(number);
    for (Value value : ir::insts(function, block)) end_[value.index] = number++;
  }
  begin_.push_back(number);
}

void BlockPressure::find_ends(const ir::Function& function, const analysis::Loops& loops) {
  uint32_t at = 0;
  for (BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      const std::span<const Value> operands = function.operands(value);
      for (unsigned i = 0; i < operands.size(); ++i) {
        if (!function.is_linked(operands[i])) continue;
        if (function.inst(value).op == Op::phi) {
          const BlockId pred = function.block(block).preds[i];
          note_use(function, loops, operands[i], pred, begin_[loops.position(pred) + 1] - 1);
        } else {
          note_use(function, loops, operands[i], block, at);
        }
      }
      ++at;
    }
  }
}

void BlockPressure::note_use(const ir::Function& function, const analysis::Loops& loops, Value value, BlockId block,
                             uint32_t at) {
  ++uses_[value.index];
  const BlockId home = function.inst(value).block;
  if (home != block) {
    for (uint32_t loop = loops.loop_of(block); loop != analysis::kNoLoop && !loops.contains(loop, home);
         loop = loops[loop].parent) {
      at = std::max(at, begin_[loops[loop].last + 1] - 1);
    }
  }
  end_[value.index] = std::max(end_[value.index], at);
}

void BlockPressure::sweep(const ir::Function& function, const analysis::Divergence& divergence, unsigned wave_size,
                          Arena& scratch) {
  Vector<RegisterDemand> ending(scratch, begin_.back() + 1);
  RegisterDemand now;
  uint32_t at = 0, position = 0;
  for (BlockId block : function.layout()) {
    RegisterDemand most = now;
    starts_[position] = now;
    for (Value value : ir::insts(function, block)) {
      const RegisterDemand demand = demand_of(function, divergence, value, wave_size);
      now.vgprs += demand.vgprs - ending[at].vgprs;
      now.sgprs += demand.sgprs - ending[at].sgprs;
      if (end_[value.index] > at) {
        ending[end_[value.index]].vgprs += demand.vgprs;
        ending[end_[value.index]].sgprs += demand.sgprs;
      } else {
        now.vgprs -= demand.vgprs;
        now.sgprs -= demand.sgprs;
      }
      most.vgprs = std::max(most.vgprs, now.vgprs);
      most.sgprs = std::max(most.sgprs, now.sgprs);
      ++at;
    }
    peaks_[position++] = most;
    peak_.vgprs = std::max(peak_.vgprs, most.vgprs);
    peak_.sgprs = std::max(peak_.sgprs, most.sgprs);
  }
}

void BlockPressure::add(uint32_t first, uint32_t last, RegisterDemand demand) {
  for (uint32_t position = first + 1; position <= last; ++position) {
    starts_[position].vgprs += demand.vgprs;
    starts_[position].sgprs += demand.sgprs;
    if (position == last) break;
    peaks_[position].vgprs += demand.vgprs;
    peaks_[position].sgprs += demand.sgprs;
  }
}

}  // namespace spalt::lower
