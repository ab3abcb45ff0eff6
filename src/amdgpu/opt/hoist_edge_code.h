// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Empties blocks that are one side of a branch and only make values for the phis after it: their few vector
/// instructions move to before the branch.
///
/// Requires Stage::selected and keeps it. The wave walks such a block anyway, unless no lane takes it, so nothing more
/// is executed, and without the block lanes need not change over to it (simplify_exec) or jump around it. The other
/// side may overwrite the register in its own lanes: there the value is dead, since VGPRs live along the logical graph.
/// Moves only vector instructions whose results are VGPRs, at most kMaxHoisted per block, and never out of a loop or
/// into one. One walk.
void hoist_edge_code(mir::Function& function, CompileContext& context);

constexpr unsigned kMaxHoisted = 3;
/// Where more ways meet (a switch), the values that are made early would stand in each other's registers.
constexpr unsigned kMaxJoined = 3;

}  // namespace spalt::opt
