// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/regalloc/affinity.h"
#include "amdgpu/regalloc/liveness.h"

namespace spalt::regalloc {

/// Bits of mir::Inst::pass_flags that a survey leaves: the instruction has values of the file.
constexpr uint16_t values_flag(mir::RegFile file) {
  return file == mir::RegFile::sgpr ? 1 : 2;
}

/// What allocation wants to know of a program before it decides anything.
struct Survey {
  PerFile<Liveness> liveness;
  Affinity affinity;
  PerFile<unsigned> demand{};          ///< the largest number of dwords live at one point
  unsigned highest_required_vgpr = 0;  ///< one past it
  Vector<mir::VReg> linear_vgprs;
};

/// Looks at every instruction twice, whatever the number of files: forward for liveness, webs and required registers,
/// backward for the last uses, demand and wishes. Sets Operand::kill: on uses that are the last one in the block of a
/// value that does not leave it, and on definitions, phis among them, that nobody reads. Sets values_flag of these
/// files. Requires SSA. `arena` has the result.
Survey survey(mir::Function& function, FileSet files, Arena& arena);

/// The most VGPRs that the operands of one instruction take.
unsigned widest_vgprs(const mir::Function& function);

}  // namespace spalt::regalloc
