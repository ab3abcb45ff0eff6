// SPDX-License-Identifier: MIT
#include "amdgpu/mir/opcode.h"

#include <iterator>

namespace spalt::mir {
namespace {

constexpr std::string_view kPseudoNames[] = {
#define SPALT_PSEUDO(name) #name,
#include "amdgpu/mir/pseudo.def"
#undef SPALT_PSEUDO
};
constexpr uint16_t kFirstPseudo = static_cast<uint16_t>(isa::Opcode::count);
static_assert(std::size(kPseudoNames) == static_cast<uint16_t>(Opcode::count) - kFirstPseudo);

constexpr uint32_t kJump = isa::kBranch | isa::kTerminator;

constexpr uint32_t pseudo_flags(Opcode opcode) {
  switch (opcode) {
    case Opcode::p_branch:
    case Opcode::p_branch_mask:
    case Opcode::p_jump:
      return kJump;
    case Opcode::p_branch_scc:
    case Opcode::p_jump_scc1:
      return kJump | isa::kReadsScc;
    case Opcode::p_jump_execz:
    case Opcode::p_jump_execnz:
      return kJump | isa::kReadsExec;
    case Opcode::p_return:
    case Opcode::p_fall_through:
      return isa::kTerminator | isa::kSideEffects;
    case Opcode::p_start:
    case Opcode::p_logical_start:
    case Opcode::p_logical_end:
    case Opcode::p_wait:
    case Opcode::p_hand_over:
      return isa::kSideEffects;
    case Opcode::p_spill_vgpr:
      return isa::kMayStore | isa::kVmem;
    case Opcode::p_reload_vgpr:
      return isa::kMayLoad | isa::kVmem;
    case Opcode::p_spill_sgpr:
      return isa::kIgnoresExec | isa::kSideEffects;
    case Opcode::p_spill_sgpr_scratch:
    case Opcode::p_reload_sgpr_scratch:
      return isa::kIgnoresExec | isa::kSideEffects | isa::kVmem;
    case Opcode::p_reload_sgpr:
    case Opcode::p_linear_vgpr:
      return isa::kIgnoresExec;
    default:
      return 0;
  }
}

constexpr std::array<uint32_t, kPseudoCount + 1> make_pseudo_flags() {
  std::array<uint32_t, kPseudoCount + 1> table{};
  for (unsigned i = 0; i < kPseudoCount; ++i) table[i] = pseudo_flags(static_cast<Opcode>(kFirstPseudo + i));
  return table;
}

}  // namespace

constexpr std::array<uint32_t, kPseudoCount + 1> kPseudoFlags = make_pseudo_flags();

std::string_view name(Opcode opcode) {
  if (opcode >= Opcode::count) return "invalid";
  if (is_pseudo(opcode)) return kPseudoNames[static_cast<uint16_t>(opcode) - kFirstPseudo];
  return isa::info(to_isa(opcode)).name;
}

Opcode find_opcode(std::string_view name) {
  if (name.starts_with("p_")) {
    for (uint32_t i = 0; i < std::size(kPseudoNames); ++i) {
      if (kPseudoNames[i] == name) return static_cast<Opcode>(kFirstPseudo + i);
    }
    return Opcode::invalid;
  }
  const isa::Opcode found = isa::find_opcode(name);
  return found == isa::Opcode::invalid ? Opcode::invalid : from_isa(found);
}

}  // namespace spalt::mir
