// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/gfx10_rules.h"

#include "amdgpu/isa/waitcnt.h"

namespace spalt::hazard {
namespace {

using isa::Hazard;
using mir::Opcode;

bool waits_to_zero(const Instruction& inst, Opcode counter_wait) {
  return inst.is(counter_wait) && inst.simm16() == 0 && !inst.uses().empty() && inst.uses()[0].is_reg(isa::kNull);
}

bool is_memory(const Instruction& inst) {
  return inst.is_vmem() || inst.is_lds();
}

/// A scalar instruction that runs only when older scalar loads have read their registers. Those without operands are
/// executed by another unit, except for a wait until all scalar loads are done.
bool ends_smem_reads(const Instruction& inst) {
  if (!inst.is_salu()) return false;
  if (inst.is(Opcode::s_waitcnt)) return isa::decode_waitcnt(inst.target(), inst.simm16()).lgkm == 0;
  if (inst.is(Opcode::s_waitcnt_lgkmcnt)) return waits_to_zero(inst, Opcode::s_waitcnt_lgkmcnt);
  if (inst.is(Opcode::s_waitcnt_vscnt) || inst.is(Opcode::s_waitcnt_vmcnt) || inst.is(Opcode::s_waitcnt_expcnt)) {
    return false;
  }
  return !inst.has_format(isa::Format::sopp) && !inst.is(Opcode::s_version);
}

bool reads_exec(const Instruction& inst) {
  return is_memory(inst) || inst.has(isa::kReadsExec) || inst.scalars_read().contains(isa::kExec.number) ||
         inst.scalars_read().contains(isa::kExecHi.number);
}

bool can_happen(Hazard hazard, const Contents& program) {
  switch (hazard) {
    case Hazard::vmem_to_scalar_write:
      return program.has(isa::kVmem | isa::kLds);
    case Hazard::smem_to_vector_write:
      return program.has(isa::kSmem);
    case Hazard::vcmpx_exec_war:
      return program.vector_exec;
    case Hazard::vcmpx_permlane:
      return program.vector_exec && program.permlane;
    default:
      return program.has(isa::kVmem) && program.has(isa::kLds);
  }
}

}  // namespace

bool Gfx10Rules::State::join(const State& other) {
  const State before = *this;
  read_by_memory |= other.read_by_memory;
  read_by_smem |= other.read_by_smem;
  exec_read |= other.exec_read;
  vcmpx |= other.vcmpx;
  lds |= other.lds;
  memory |= other.memory;
  branch_after_lds |= other.branch_after_lds;
  branch_after_memory |= other.branch_after_memory;
  return *this != before;
}

Gfx10Rules::Gfx10Rules(const mir::Function& function, const Contents& program) {
  for (Hazard hazard : {Hazard::vmem_to_scalar_write, Hazard::smem_to_vector_write, Hazard::vcmpx_exec_war,
                        Hazard::vcmpx_permlane, Hazard::lds_branch_vmem_war}) {
    if (function.target.has(hazard) && can_happen(hazard, program)) active_ |= {hazard};
  }
}

/// Whatever may come.
Cures Gfx10Rules::cures_at_end(const State& state) {
  Cures cures;
  if (state.read_by_memory.any()) cures.depctr &= kDepctrVmVsrc;
  if (state.exec_read) cures.depctr &= kDepctrSaSdst;
  cures.scalar_instruction = state.read_by_smem.any();
  if (state.vcmpx) cures.vector_move = isa::vgpr(0);
  cures.store_count_zero = state.lds || state.memory || state.branch_after_lds || state.branch_after_memory;
  return cures;
}

Cures Gfx10Rules::cures(const Instruction& inst, const State& state) const {
  if (inst.is_end_of_code()) return cures_at_end(state);
  Cures cures;
  if (inst.is_salu() || inst.is_smem()) {
    if (state.read_by_memory.any() && inst.scalars_written().overlaps(state.read_by_memory)) {
      cures.depctr &= kDepctrVmVsrc;
    }
  } else if (inst.is_valu()) {
    if (state.exec_read && inst.writes_exec()) cures.depctr &= kDepctrSaSdst;
    if (state.read_by_smem.any() && inst.scalars_written().overlaps(state.read_by_smem)) {
      cures.scalar_instruction = true;
    }
    if (state.vcmpx && is_permlane(inst)) cures.vector_move = inst.uses()[0].reg;
  } else if (is_memory(inst)) {
    if ((inst.is_lds() && state.branch_after_memory) || (inst.is_vmem() && state.branch_after_lds)) {
      cures.store_count_zero = true;
    }
  }
  return cures;
}

void Gfx10Rules::advance(const Instruction& inst, State& state) const {
  if (mir::is_pseudo(inst.opcode())) return;
  advance_scalar_rules(inst, state);
  advance_exec_rules(inst, state);
  advance_memory_rules(inst, state);
}

void Gfx10Rules::advance_scalar_rules(const Instruction& inst, State& state) const {
  if (has(Hazard::vmem_to_scalar_write)) {
    if (is_memory(inst)) {
      state.read_by_memory |= inst.scalars_read();
      state.read_by_memory.add(isa::kExec.number, 2);
    } else if (inst.is_valu() || (inst.is(Opcode::s_waitcnt) && inst.simm16() == 0) ||
               depctr_waits(inst, kDepctrVmVsrc)) {
      state.read_by_memory = Scalars();
    }
  }
  if (has(Hazard::smem_to_vector_write)) {
    if (inst.is_smem()) {
      state.read_by_smem |= inst.scalars_read();
    } else if (ends_smem_reads(inst)) {
      state.read_by_smem = Scalars();
    }
  }
}

void Gfx10Rules::advance_exec_rules(const Instruction& inst, State& state) const {
  if (has(Hazard::vcmpx_exec_war)) {
    if (inst.is_valu()) {
      if (inst.scalars_written().any() || inst.writes_exec()) state.exec_read = false;
    } else if (depctr_waits(inst, kDepctrSaSdst)) {
      state.exec_read = false;
    } else if (reads_exec(inst)) {
      state.exec_read = true;
    }
  }
  if (has(Hazard::vcmpx_permlane) && inst.is_valu() && !inst.is(Opcode::v_nop)) state.vcmpx = inst.writes_exec();
}

void Gfx10Rules::advance_memory_rules(const Instruction& inst, State& state) const {
  if (!has(Hazard::lds_branch_vmem_war)) return;
  if (inst.is_vmem()) {
    state.lds = state.branch_after_lds = state.branch_after_memory = false;
    state.memory = true;
  } else if (inst.is_lds()) {
    state.memory = state.branch_after_lds = state.branch_after_memory = false;
    state.lds = true;
  } else if (inst.is_branch()) {
    state.branch_after_lds |= state.lds;
    state.branch_after_memory |= state.memory;
    state.lds = state.memory = false;
  } else if (waits_to_zero(inst, Opcode::s_waitcnt_vscnt)) {
    state.lds = state.memory = state.branch_after_lds = state.branch_after_memory = false;
  }
}

}  // namespace spalt::hazard
