// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "amdgpu/regalloc/register_file.h"

namespace spalt::regalloc {

/// Live values of one register file at block boundaries. live_in lacks the block's own phis; live_out has the operands
/// of the successors' phis. Each list has every value once, in no particular order.
struct Liveness {
  IdMap<mir::BlockId, std::vector<mir::VReg>> live_in, live_out;
};

/// Walks from each use up to the definition (F. Brandner et al., Computing Liveness Sets for SSA-Form Programs, 2011),
/// which costs time and memory proportional to the lists. Requires SSA.
Liveness compute_liveness(const mir::Function& function, mir::RegFile file);

/// Sets Operand::kill: on uses that are the last one in the block of a value that does not leave it, and on definitions
/// that nobody reads. Phis are left alone.
void mark_kills(mir::Function& function, const Liveness& liveness, mir::RegFile file);

}  // namespace spalt::regalloc
