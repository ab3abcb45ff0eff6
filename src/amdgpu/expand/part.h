// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/ice.h"

namespace spalt::expand {

/// One dword of an operand that has its register.
inline mir::Operand part(const mir::Operand& operand, unsigned dword) {
  if (operand.kind == mir::Operand::Kind::undef) return mir::Operand::undefined(1);
  if (operand.is_imm()) {
    // A wide immediate is sign extended, like an inline constant of a 64-bit operand.
    const uint32_t high = (operand.value & 0x80000000u) != 0 ? 0xffffffffu : 0;
    return mir::Operand::immediate(dword == 0 ? operand.value : high);
  }
  SPALT_ASSERT(operand.reg.valid());
  return mir::Operand::physical(operand.reg.offset(static_cast<int>(dword)));
}

}  // namespace spalt::expand
