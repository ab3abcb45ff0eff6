// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/codec/vopd.h"
#include "amdgpu/isa/inst.h"
#include "amdgpu/mir/function.h"

namespace spalt::mir {

/// One operand as the codec takes it; the target of a branch is none.
inline isa::Operand machine_operand(const Operand& operand) {
  const Operand::Kind kind = operand.kind;
  if (kind == Operand::Kind::vreg || kind == Operand::Kind::reg) return isa::Operand::of(operand.reg, operand.dwords);
  if (kind == Operand::Kind::imm) return isa::Operand::of_imm(operand.value);
  return kind == Operand::Kind::table ? isa::Operand::of_literal(operand.value) : isa::Operand();
}

/// The instruction as the codec takes it; branch targets stay 0. After allocation, and no pseudo operation.
isa::Inst machine_inst(const Function& function, InstId id);

/// Whether its opcode can be in a VOPD instruction.
inline bool has_vopd_number(const Function& function, InstId id) {
  const Opcode opcode = function.insts[id].opcode;
  return !is_pseudo(opcode) && isa::vopd_number(to_isa(opcode), function.target.generation) >= 0;
}

/// The instruction as one operation of a VOPD instruction; one that cannot be has no number.
isa::VopdHalf vopd_half(const Function& function, InstId id);

/// Two vector instructions as one VOPD instruction, where isa::check_vopd allows that.
isa::Inst dual_machine_inst(const Function& function, InstId first, InstId second);

/// Operands with address registers of an image instruction after the first, which follow the operands of its text.
std::span<const Operand> further_addresses(const Function& function, InstId id);

}  // namespace spalt::mir
