// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "amdgpu/isa/opcode.h"

namespace spalt::mir {

/// A machine opcode of the target (the numbers of isa::Opcode) or a pseudo operation.
enum class Opcode : uint16_t {
#define SPALT_OPCODE(name) name,
#include "amdgpu/isa/opcodes.inc"
#undef SPALT_OPCODE
#define SPALT_PSEUDO(name) name,
#include "amdgpu/mir/pseudo.def"
#undef SPALT_PSEUDO
  count,
  invalid = 0xffff
};

constexpr bool is_pseudo(Opcode opcode) {
  return static_cast<uint16_t>(opcode) >= static_cast<uint16_t>(isa::Opcode::count);
}
/// Only for machine opcodes.
constexpr isa::Opcode to_isa(Opcode opcode) {
  return static_cast<isa::Opcode>(opcode);
}
constexpr Opcode from_isa(isa::Opcode opcode) {
  return static_cast<Opcode>(opcode);
}

std::string_view name(Opcode opcode);
/// The opcode of that mnemonic, or Opcode::invalid.
Opcode find_opcode(std::string_view name);

/// Flags of isa::OpcodeInfo, also for pseudo operations.
uint32_t flags(Opcode opcode);
inline bool has_flag(Opcode opcode, uint32_t flag) {
  return (flags(opcode) & flag) != 0;
}
/// p_phi or p_phi_mask.
constexpr bool is_phi(Opcode opcode) {
  return opcode == Opcode::p_phi || opcode == Opcode::p_phi_mask;
}
/// Ends a block: branches, jumps, p_return, s_endpgm.
bool is_terminator(Opcode opcode);

}  // namespace spalt::mir
