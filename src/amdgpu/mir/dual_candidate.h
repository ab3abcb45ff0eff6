// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::mir {

/// What an instruction can be as half of a VOPD instruction (isa::VopdHalf) if its values, or its VGPRs only, have no
/// registers yet: what it is in registers that suit. Most instructions can be none.
struct DualCandidate {
  /// A scalar value is named by its number, or by its register and this bit.
  static constexpr uint32_t kRegister = 0x80000000u;

  bool first = false, second = false;  ///< which half it can be
  bool commutes = false;               ///< sources 0 and 1 are VGPRs that may be exchanged
  bool has_literal = false;
  uint8_t scalar_count = 0;
  uint32_t literal = 0;
  uint32_t scalars[2] = {};  ///< the different ones
  VReg result;
  VReg sources[3];  ///< VGPRs read as source 0, 1 and 2; not valid: none, or something else

  /// All that can be the first half can be the second one.
  bool can_pair() const { return second; }
  /// What the result must replace.
  VReg accumulator() const { return sources[2]; }
};

/// The opcode as which the instruction would be a half: a multiply-add replaces its addend.
inline isa::Opcode dual_form(Opcode opcode) {
  return opcode == Opcode::v_fma_f32 ? isa::Opcode::v_fmac_f32 : to_isa(opcode);
}
/// Whether there is such a half.
inline bool has_dual_form(const Function& function, InstId id) {
  const Opcode opcode = function.insts[id].opcode;
  return !is_pseudo(opcode) && isa::vopd_number(dual_form(opcode), function.target.generation) >= 0;
}

/// Of an instruction that has a dual form.
DualCandidate dual_candidate(const Function& function, InstId id);

/// Whether two that do not depend on each other can be one instruction, in some order and in registers that suit.
bool may_pair(const DualCandidate& a, const DualCandidate& b, const isa::Target& target);

}  // namespace spalt::mir
