// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/inst.h"

namespace spalt::isa {

constexpr uint32_t kLiteralCode = 255;

constexpr bool is_inline_constant_code(uint32_t code) {
  return (code >= 128 && code <= 208) || (code >= 240 && code <= 248);
}

/// inline_constant_code of other than small numbers.
int find_inline_constant(uint32_t imm, OperandType type);

/// The source code (128..208, 240..248) whose value in a slot of this type is `imm`, or -1.
inline int inline_constant_code(uint32_t imm, OperandType type) {
  constexpr uint32_t kMostInteger = 64;
  const bool integer = imm <= kMostInteger && type != OperandType::f64;
  return integer ? static_cast<int>(128 + imm) : find_inline_constant(imm, type);
}

/// The operand for an inline constant code: an immediate where `imm` can express the value, else a register operand
/// that carries the code. `dwords` is the width of the slot.
Operand inline_constant_operand(uint32_t code, OperandType type, unsigned dwords);

/// The 64 bits that the hardware substitutes for an inline constant code.
uint64_t inline_constant_value(uint32_t code, OperandType type);

}  // namespace spalt::isa
