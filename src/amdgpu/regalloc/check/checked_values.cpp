// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/check/checked_values.h"

#include "amdgpu/regalloc/check/parts.h"

namespace spalt::regalloc {

using mir::BlockId;
using mir::Function;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

CheckedValues::CheckedValues(const Function& before) {
  constant_of_.assign(before.vregs.size(), kNone);
  is_undefined_.assign(before.vregs.size(), 0);
  for (BlockId id : before.layout) {
    for (InstId inst : before.blocks[id].insts) {
      if (is_constant_load(before, inst)) {
        constant_of_[before.defs(inst)[0].vreg()] = loaded_number(before, inst);
      } else if (before.insts[inst].opcode == Opcode::p_phi && before.uses(inst).size() == 1) {
        collect_single_phi(before, before.defs(inst)[0].vreg(), before.uses(inst)[0]);
      }
    }
  }
}

void CheckedValues::collect_single_phi(const Function& before, VReg phi, const Operand& operand) {
  if (operand.is_imm()) constant_of_[phi] = constant_number(operand.value, before.vregs[phi].cls.dwords);
  if (operand.is_vreg()) {
    constant_of_[phi] = constant_of_[operand.vreg()];
    is_undefined_[phi] = is_undefined_[operand.vreg()];
  }
  if (operand.kind == Operand::Kind::undef) is_undefined_[phi] = 1;
}

uint32_t CheckedValues::constant_number(uint32_t pattern, unsigned dwords) {
  const uint64_t key = uint64_t{pattern} << 8 | dwords;
  return constants_.emplace(key, static_cast<uint32_t>(constants_.size())).first->second;
}

uint32_t CheckedValues::loaded_number(const Function& function, InstId inst) {
  const auto uses = function.uses(inst);
  const unsigned dwords = function.defs(inst)[0].dwords;
  if (function.insts[inst].opcode == Opcode::s_movk_i32 && uses.empty()) {
    return constant_number(static_cast<uint32_t>(function.insts[inst].simm16), dwords);
  }
  return constant_number(uses.empty() ? 0 : uses[0].value, dwords);
}

}  // namespace spalt::regalloc
