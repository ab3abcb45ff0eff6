// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/lds_direct_rules.h"

namespace spalt::hazard {

using isa::Hazard;

LdsDirectRules::LdsDirectRules(const mir::Function& function, const Contents& program) {
  any_ = program.parameter_load && function.target.has(Hazard::lds_direct) &&
         !function.target.has(Hazard::lds_direct_waits);
}

Cures LdsDirectRules::cures(const Instruction& inst, const State& state) const {
  Cures cures;
  if (inst.is_parameter_load() && inst.vgprs_written().overlaps(state.in_memory)) {
    cures.depctr = kDepctrVmVsrc;
  }
  return cures;
}

void LdsDirectRules::advance(const Instruction& inst, State& state) const {
  if (inst.is_vmem() || inst.is_lds()) {
    state.in_memory |= inst.vgprs_read();
    state.in_memory |= inst.vgprs_written();
  } else if (depctr_waits(inst, kDepctrVmVsrc) || inst.is(mir::Opcode::exp) || inst.is_valu()) {
    state = State();
  }
}

}  // namespace spalt::hazard
