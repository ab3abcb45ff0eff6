// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "base/vector.h"

namespace spalt::encode {

/// A branch instruction at word `at` whose 16-bit offset must lead to word `target`.
struct Branch {
  uint32_t at;
  uint32_t target;
  isa::Opcode opcode;
};

/// Dwords forward or backward from the end of a branch.
constexpr uint32_t kBranchReach = 32767;

/// Writes the offsets of all branches, which are in order of `at`. One whose target is out of reach becomes a jump
/// through `pair`, which clobbers scc; a conditional one first a short branch of the opposite condition over that jump.
/// Where the target has Hazard::branch_offset_3f, a branch over 63 dwords has an s_nop after it.
/// `places`: words whose addresses the caller wants; they become those after insertions.
/// Returns the number of instructions inserted, or none, with `words` unchanged, if a target is out of reach and `pair`
/// is not valid. Takes memory from `scratch` where something is inserted only.
std::optional<uint32_t> resolve_branches(Vector<uint32_t>& words, std::span<const Branch> branches, isa::Reg pair,
                                         const isa::Target& target, Arena& scratch, std::span<uint32_t> places = {},
                                         uint32_t reach = kBranchReach);

}  // namespace spalt::encode
