// SPDX-License-Identifier: MIT
#include "amdgpu/mir/wave64_passes.h"

#include <algorithm>

namespace spalt::mir {
namespace {

bool is_sgpr(const Operand& operand) {
  if (operand.is_vreg()) return !operand.cls().is_vgpr();
  return operand.kind == Operand::Kind::reg && !operand.reg.is_vgpr();
}

}  // namespace

bool second_pass_reads(const Function& function, InstId inst, size_t use) {
  const Opcode opcode = function.insts[inst].opcode;
  if (function.wave_size != 64 || !function.target.has_wave32 || is_pseudo(opcode)) return false;
  // What works on all lanes at once is issued once.
  if (!has_flag(opcode, isa::kValu) || has_flag(opcode, isa::kIgnoresExec)) return false;
  const isa::OpcodeInfo& info = isa::info(to_isa(opcode));
  if (use >= info.src_count || info.src[use].role == isa::OperandRole::lane_mask) return false;
  const auto defs = function.defs(inst);
  return is_sgpr(function.uses(inst)[use]) && std::any_of(defs.begin(), defs.end(), [&](const Operand& def) {
           return is_sgpr(def) && !def.is_reg(isa::kNull);
         });
}

}  // namespace spalt::mir
