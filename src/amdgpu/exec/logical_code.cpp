// SPDX-License-Identifier: MIT
#include "amdgpu/exec/logical_code.h"

namespace spalt::exec {
namespace {

using mir::Opcode;
using mir::Operand;

bool is_leading(Opcode opcode) {
  return mir::is_phi(opcode) || opcode == Opcode::p_start;
}

bool ends_prolog(const mir::Function& function, mir::InstId inst) {
  const isa::Reg first = function.scratch_descriptor;
  for (const Operand& def : function.defs(inst)) {
    if (def.is_reg(isa::kExec)) return true;
    if (first.valid() && def.reg.valid() && def.reg < first.offset(4) && first < def.reg.offset(def.dwords))
      return true;
  }
  return false;
}

void narrow_to(MaskCode& code, const Operand& lanes) {
  if (is_never(lanes)) {
    code.emit(code.ops.mov, {code.exec()}, {lanes});
  } else if (!is_always(lanes)) {
    code.emit(code.ops.and_, {code.exec(), MaskCode::scc()}, {code.exec(), lanes});
  }
}

}  // namespace

size_t count_leading(const mir::Function& function, const mir::InstList& insts, bool is_entry) {
  size_t count = 0;
  while (count < insts.size() && is_leading(function.insts[insts[count]].opcode)) ++count;
  if (!is_entry) return count;
  for (size_t i = insts.size(); i > count; --i) {
    if (ends_prolog(function, insts[i - 1])) return i;
  }
  return count;
}

void emit_program_end(mir::Function& function, MaskCode& code, std::span<const Operand> goes_on) {
  if (!goes_on.empty()) {
    narrow_to(code, goes_on[0]);
    code.emit(Opcode::p_fall_through, {}, {});
  } else {
    function.insts[code.emit(Opcode::s_endpgm, {}, {})].simm16 = 0;
  }
}

}  // namespace spalt::exec
