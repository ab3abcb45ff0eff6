// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/sgpr_write_rules.h"

#include <algorithm>

namespace spalt::hazard {
namespace {

using isa::Hazard;
using mir::Operand;

bool in_danger(const Operand& operand) {
  return Instruction::is_scalar(operand) && operand.reg.number < isa::kM0.number;
}

Scalars vcc() {
  Scalars set;
  set.add(isa::kVcc.number, 2);
  return set;
}

Scalars sgprs(std::span<const Operand> operands) {
  Scalars set;
  for (const Operand& operand : operands) {
    if (in_danger(operand)) set.add(operand.reg.number, operand.dwords);
  }
  return set;
}

/// Lane masks that a vector instruction selects with, carries in or scales by.
Scalars masks_read(const Instruction& inst) {
  const isa::OpcodeInfo& info = inst.info();
  const auto uses = inst.uses();
  Scalars set;
  for (unsigned i = 0; i < info.src_count && i < uses.size(); ++i) {
    if (info.src[i].role == isa::OperandRole::lane_mask && in_danger(uses[i])) set |= sgprs(uses.subspan(i, 1));
  }
  if (inst.has(isa::kReadsVcc)) set |= vcc();
  return set;
}

/// A scalar instruction that reads one result waits for all of them; vcc counts apart.
void wait_for_vector_results(const Scalars& read, SgprWriteRules::State& state) {
  Scalars late = read;
  late &= state.by_valu;
  if (late.overlaps(vcc())) state.by_valu.remove(vcc());
  late.remove(vcc());
  if (late.any()) state.by_valu &= vcc();
}

}  // namespace

bool SgprWriteRules::State::join(const State& other) {
  const State before = *this;
  read |= other.read;
  by_salu |= other.by_salu;
  by_valu |= other.by_valu;
  return *this != before;
}

SgprWriteRules::SgprWriteRules(const mir::Function& function, const Contents& program)
    : follows_code_(function.follows_code),
      mask_write_(function.target.has(Hazard::valu_mask_write) && function.wave_size == 64),
      read_sgpr_(function.target.has(Hazard::valu_read_sgpr)) {
  if ((!mask_write_ && !read_sgpr_) || !program.has(isa::kValu)) return;
  any_ = follows_code_;
  for (mir::BlockId block : function.layout) {
    if (any_) return;
    for (mir::InstId id : function.blocks[block].insts) {
      const Instruction inst(function, id);
      const auto uses = inst.uses();
      const bool may_read = inst.has(isa::kReadsVcc) || std::any_of(uses.begin(), uses.end(), in_danger);
      if (!inst.is_valu() || !may_read) continue;
      State state;
      remember_reads(inst, state);
      any_ = state.read.any();
      if (any_) return;
    }
  }
}

SgprWriteRules::State SgprWriteRules::at_start() const {
  State state;
  if (follows_code_) state.read.add(0, isa::kM0.number);
  return state;
}

Cures SgprWriteRules::cures(const Instruction& inst, const State& state) const {
  Cures cures;
  if (inst.is_end_of_code()) {
    if (state.by_salu.any()) cures.depctr &= kDepctrSaSdst;
    Scalars others = state.by_valu;
    others.remove(vcc());
    if (others.any()) cures.depctr &= kDepctrVaSdst;
    if (state.by_valu.overlaps(vcc())) cures.depctr &= kDepctrVaVcc;
    return cures;
  }
  if (!state.by_salu.any() && !state.by_valu.any()) return cures;
  const bool memory = inst.is_vmem() || inst.is_smem();
  if (read_sgpr_ && memory) return cures;
  const Scalars read = sgprs(inst.uses());
  if (read.overlaps(state.by_salu)) cures.depctr &= kDepctrSaSdst;
  if (inst.is_salu()) return cures;
  Scalars late = read;
  late &= state.by_valu;
  if (late.overlaps(vcc())) cures.depctr &= kDepctrVaVcc;
  late.remove(vcc());
  if (late.any()) cures.depctr &= kDepctrVaSdst;
  return cures;
}

void SgprWriteRules::advance(const Instruction& inst, State& state) const {
  if (mir::is_pseudo(inst.opcode())) return;
  if (inst.is(mir::Opcode::s_waitcnt_depctr)) {
    if (depctr_waits(inst, kDepctrSaSdst)) state.by_salu = Scalars();
    if (depctr_waits(inst, kDepctrVaVcc)) state.by_valu.remove(vcc());
    if (depctr_waits(inst, kDepctrVaSdst)) state.by_valu &= vcc();
    return;
  }
  const bool memory = inst.is_vmem() || inst.is_smem();
  if (read_sgpr_ && memory) state.by_salu = state.by_valu = Scalars();
  if (inst.is_salu() && state.by_valu.any()) wait_for_vector_results(sgprs(inst.uses()), state);
  if (state.read.any()) note_writes(inst, state);
  if (inst.is_valu()) remember_reads(inst, state);
}

void SgprWriteRules::note_writes(const Instruction& inst, State& state) const {
  Scalars written = sgprs(inst.defs());
  written &= state.read;
  if (inst.is_salu()) state.by_salu |= written;
  if (inst.is_valu()) state.by_valu |= written;
  // A vector instruction that writes the mask is no proof for LLVM that the one before it has read it.
  if (mask_write_ && inst.is_salu()) state.read.remove(written);
}

void SgprWriteRules::remember_reads(const Instruction& inst, State& state) const {
  if (!read_sgpr_) {
    state.read |= masks_read(inst);
    return;
  }
  for (const Operand& use : inst.uses()) {
    if (!in_danger(use)) continue;
    const unsigned first = use.reg.number & ~1u, end = (use.reg.number + use.dwords + 1u) & ~1u;
    state.read.add(first, end - first);
  }
}

}  // namespace spalt::hazard
