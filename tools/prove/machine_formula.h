// SPDX-License-Identifier: MIT
// What machine instructions compute for one lane, as formulas. Written from the manuals of the ISA, by mnemonic:
// nothing here comes from the compiler's tables. An instruction that is not here is an unknown function of all that it
// reads.
#pragma once
#include <optional>
#include <string_view>

#include "amdgpu/isa/inst.h"
#include "formula.h"

namespace spalt::prove {

/// What an instruction reads, each operand as a word of its size. Lane masks are words with a bit for each lane.
struct MachineInput {
  std::string_view name;
  isa::Modifiers modifiers;
  int32_t simm16;
  Formulas uses;
  std::vector<unsigned> def_bits;  ///< sizes of what it writes
  z3::expr lane;                   ///< number of this lane, as wide as a lane mask
  bool pads_halves = false;        ///< results of 16 bits have zeros above; else anything
  std::string high_name;           ///< of what is above otherwise
};

/// Replaces sources by the parts of them that SDWA names, so that what is left is an instruction as any other.
void select_parts(MachineInput& in);

/// The bit of this lane in a mask.
z3::expr lane_bit(const z3::expr& mask, const z3::expr& lane);

/// A condition of this lane, for the mask of which the encoder finds the other lanes.
struct MachineResult {
  Formulas words;                ///< one for each definition; the first alone if `mask` follows it
  std::optional<z3::expr> mask;  ///< the last definition is a lane mask with this bit
};

/// Nothing if the instruction is not among those known exactly.
std::optional<MachineResult> machine_formula(const MachineInput& in);

}  // namespace spalt::prove
