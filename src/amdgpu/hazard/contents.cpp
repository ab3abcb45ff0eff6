// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/contents.h"

namespace spalt::hazard {

using mir::Opcode;

bool is_permlane(const Instruction& inst) {
  return inst.is(Opcode::v_permlane16_b32) || inst.is(Opcode::v_permlanex16_b32) ||
         inst.is(Opcode::v_permlane16_var_b32) || inst.is(Opcode::v_permlanex16_var_b32) ||
         inst.is(Opcode::v_permlane64_b32);
}

/// Hazards of instructions that write exec, of v_permlane and of loads of parameters: others look at flags only.
constexpr isa::HazardSet kBeyondFlags = {isa::Hazard::vcmpx_exec_war, isa::Hazard::vcmpx_permlane,
                                         isa::Hazard::valu_partial_forwarding, isa::Hazard::lds_direct};

Contents::Contents(const mir::Function& function) {
  if (is_followed(function)) {
    flags = ~0u;
    scalar_exec = vector_exec = permlane = true;
  }
  const bool beyond_flags = function.target.hazards.any(kBeyondFlags);
  for (mir::BlockId block : function.layout) {
    for (mir::InstId id : function.blocks[block].insts) {
      const Instruction inst(function, id);
      flags |= inst.flags();
      if (!beyond_flags) continue;
      if (inst.is_valu()) {
        vector_exec |= inst.writes_exec();
        permlane |= is_permlane(inst);
      } else if (inst.is_salu()) {
        scalar_exec |= inst.writes_exec();
      }
      parameter_load |= inst.is(Opcode::lds_param_load);
    }
  }
}

}  // namespace spalt::hazard
