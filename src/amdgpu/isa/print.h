// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"

namespace spalt::isa {

/// Appends printf-formatted text.
[[gnu::format(printf, 2, 3)]] void append(std::string& out, const char* format, ...);

void append_register(std::string& out, Reg reg, unsigned dwords);
/// A constant as LLVM writes it: inline values by name, others in hexadecimal.
void append_immediate(std::string& out, const Operand& operand, OperandType type);
void append_operand(std::string& out, const Operand& operand, OperandType type);

/// The immediate of SOPP and SOPK instructions: wait counts, messages, hardware registers, branch distances.
void append_simm16(std::string& out, const Inst& inst, const Target& target);

/// What follows the operands, each with a leading space.
void append_modifiers(std::string& out, const Inst& inst);

}  // namespace spalt::isa
