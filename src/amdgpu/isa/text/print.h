// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"

namespace spalt::isa {

/// Appends printf-formatted text.
[[gnu::format(printf, 2, 3)]] void append(std::string& out, const char* format, ...);

void append_register(std::string& out, Reg reg, unsigned dwords, const Target& target);
/// A constant as LLVM writes it: inline values by name, others in hexadecimal.
void append_immediate(std::string& out, const Operand& operand, OperandType type);
void append_operand(std::string& out, const Operand& operand, OperandType type, const Target& target);

/// The immediate of SOPP and SOPK instructions: wait counts, messages, hardware registers, branch distances.
void append_simm16(std::string& out, const Inst& inst, const Target& target);

/// A message, or the operands that s_set_gpr_idx makes relative, that is an operand.
void append_message_operand(std::string& out, uint32_t bits, const Target& target);
void append_gpr_index(std::string& out, uint32_t bits);

/// What follows the operands, each with a leading space.
void append_modifiers(std::string& out, const Inst& inst, const Target& target);

}  // namespace spalt::isa
