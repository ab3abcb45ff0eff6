// SPDX-License-Identifier: MIT
#include "amdgpu/opt/def_use.h"

namespace spalt::opt {
namespace {

using mir::Opcode;
using mir::Operand;

bool is_copy_like(Opcode opcode) {
  if (!is_pseudo(opcode)) return false;
  return is_phi(opcode) || opcode == Opcode::p_vec || opcode == Opcode::p_copy || opcode == Opcode::p_parallel_copy;
}

}  // namespace

DefUse::DefUse(const mir::Function& function, Arena& scratch)
    : values_(scratch, function.vregs.size()),
      scc_reads_(scratch, function.insts.size()),
      scc_def_(scratch, function.insts.size()) {
  for (mir::BlockId block : function.layout) {
    last_scc_ = mir::InstId();
    for (mir::InstId inst : function.blocks[block].insts) visit(function, block, inst);
  }
}

void DefUse::visit(const mir::Function& function, mir::BlockId block, mir::InstId inst) {
  const bool copy_like = is_copy_like(function.insts[inst].opcode);
  for (const Operand& use : function.uses(inst)) {
    if (use.is_vreg()) {
      Value& value = values_[use.value];
      ++value.uses;
      value.wants_own_register |= copy_like || use.tied || use.reg.valid();
    } else if (use.is_reg(isa::kScc) && last_scc_.valid()) {
      ++scc_reads_[last_scc_.index];
      scc_def_[inst.index] = last_scc_;
    }
  }
  for (const Operand& def : function.defs(inst)) {
    if (def.is_vreg()) {
      Value& value = values_[def.value];
      value.def = inst;
      value.block = block;
      value.wants_own_register |= def.reg.valid();
    } else if (def.is_reg(isa::kScc)) {
      last_scc_ = inst;
    }
  }
}

mir::InstId DefUse::single_use_def(const Operand& use, mir::BlockId block) const {
  if (!use.is_vreg() || use.reg.valid() || use.tied) return mir::InstId();
  const Value& value = values_[use.value];
  return value.uses == 1 && value.block == block && !value.wants_own_register ? value.def : mir::InstId();
}

}  // namespace spalt::opt
