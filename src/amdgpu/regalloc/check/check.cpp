// SPDX-License-Identifier: MIT
//
// The checker knows the two functions and the meaning of machine IR, and nothing of how registers were chosen: it never
// reads the virtual register numbers that the allocated function carries, only the original ones and the assigned
// registers.
//
// It trusts mir::verify (targets of terminators) and that expansion turns parallel copies, spills and reloads into what
// they say.
#include "amdgpu/regalloc/check/check.h"

#include "amdgpu/mir/printer.h"
#include "amdgpu/regalloc/check/parts.h"

namespace spalt::regalloc {

Error broken_allocation(const mir::Function& after, mir::BlockId block, mir::InstId inst, const std::string& what) {
  Error error;
  error.status = Status::internal_error;
  error.message = "register allocation broken: " + what;
  if (block.valid()) error.message += "; in b" + std::to_string(block.index);
  if (inst.valid()) error.message += ": " + mir::print_inst(after, inst);
  return error;
}

bool is_constant_load(const mir::Function& function, mir::InstId inst) {
  using mir::Opcode;
  const Opcode opcode = function.insts[inst].opcode;
  if (opcode != Opcode::s_mov_b32 && opcode != Opcode::s_mov_b64 && opcode != Opcode::s_movk_i32 &&
      opcode != Opcode::v_mov_b32 && opcode != Opcode::p_copy) {
    return false;
  }
  if (function.insts[inst].has_modifiers() || function.defs(inst).size() != 1) return false;
  if (!function.defs(inst)[0].is_vreg()) return false;
  for (const mir::Operand& use : function.uses(inst)) {
    if (!use.is_imm()) return false;
  }
  return true;
}

Result<void> check_allocation(const mir::Function& before, const mir::Function& after) {
  if (CheckFinding finding = check_shape(before, after)) return std::move(*finding);
  for (const bool linear : {true, false}) {
    if (CheckFinding finding = check_values(before, after, linear)) return std::move(*finding);
  }
  return {};
}

}  // namespace spalt::regalloc
