// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
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

/// By the number of the pseudo operation; Opcode::invalid comes last.
constexpr unsigned kPseudoCount = static_cast<unsigned>(Opcode::count) - static_cast<unsigned>(isa::Opcode::count);
extern const std::array<uint32_t, kPseudoCount + 1> kPseudoFlags;

/// Flags of isa::OpcodeInfo, also for pseudo operations.
inline uint32_t flags(Opcode opcode) {
  if (!is_pseudo(opcode)) return isa::kOpcodeFlags[static_cast<unsigned>(opcode)];
  return kPseudoFlags[std::min(static_cast<unsigned>(opcode) - static_cast<unsigned>(isa::Opcode::count),
                               kPseudoCount)];
}
inline bool has_flag(Opcode opcode, uint32_t flag) {
  return (flags(opcode) & flag) != 0;
}
/// isa::OpcodeInfo::tied_source, also for pseudo operations.
inline uint8_t tied_source(Opcode opcode) {
  return is_pseudo(opcode) ? isa::kNoTiedSource : isa::kTiedSources[static_cast<unsigned>(opcode)];
}
/// p_phi or p_phi_mask.
constexpr bool is_phi(Opcode opcode) {
  return opcode == Opcode::p_phi || opcode == Opcode::p_phi_mask;
}
/// A scan, whose immediate is an opcode.
constexpr bool combines(Opcode opcode) {
  return opcode >= Opcode::p_scan_reduce && opcode <= Opcode::p_scan_cluster;
}
/// Ends a block: branches, jumps, p_return, p_fall_through, s_endpgm.
inline bool is_terminator(Opcode opcode) {
  return has_flag(opcode, isa::kBranch | isa::kTerminator);
}

}  // namespace spalt::mir
