// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::exec {

/// Does a phi of an SGPR stand at the head of the block?
inline bool has_scalar_phi(const mir::Function& function, mir::BlockId block) {
  for (mir::InstId id : function.blocks[block].insts) {
    if (function.insts[id].opcode != mir::Opcode::p_phi) return false;
    if (function.vregs[function.defs(id)[0].vreg()].cls.linear) return true;
  }
  return false;
}

}  // namespace spalt::exec
