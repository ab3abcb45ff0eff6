// SPDX-License-Identifier: MIT
#include "amdgpu/opt/operand_limits.h"

#include "amdgpu/isa/codec/constants.h"

namespace spalt::opt {
namespace {

using mir::Operand;

bool is_scalar_register(const Operand& operand) {
  if (operand.kind == Operand::Kind::reg) return !operand.reg.is_vgpr();
  return operand.is_vreg() && !operand.cls().is_vgpr();
}

}  // namespace

bool fits_vop3(const mir::Function& function, mir::Opcode opcode, std::span<const Operand> sources) {
  const isa::OpcodeInfo& info = isa::info(mir::to_isa(opcode));
  const unsigned limit = isa::scalar_source_limit(info, function.target.constant_bus_limit);
  unsigned scalars = 0;
  const Operand* literal = nullptr;
  for (unsigned i = 0; i < sources.size(); ++i) {
    const Operand& source = sources[i];
    if (source.is_imm()) {
      if (isa::inline_constant_code(source.value, info.src[i].type) >= 0) continue;
      if (!function.target.vop3_literal) return false;
      if (literal != nullptr && literal->value != source.value) return false;
      if (literal == nullptr) ++scalars;
      literal = &source;
      continue;
    }
    if (!is_scalar_register(source)) continue;
    bool seen = false;
    for (unsigned j = 0; j < i; ++j) seen |= sources[j].same_value(source);
    if (!seen) ++scalars;
  }
  return scalars <= limit;
}

}  // namespace spalt::opt
