// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::regalloc {

/// Removes phis with one operand: their uses read the operand itself; a constant or undefined operand becomes a copy in
/// the block. After it a block with one predecessor has no phis, so that no copies are needed on an edge whose source
/// has other successors. Requires Stage::masked; keeps SSA. Linear.
void simplify_phis(mir::Function& function, Arena& scratch);

}  // namespace spalt::regalloc
