// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "amdgpu/mir/function.h"
#include "base/result.h"

namespace spalt::regalloc {

using CheckFinding = std::optional<Error>;

Error broken_allocation(const mir::Function& after, mir::BlockId block, mir::InstId inst, const std::string& what);

/// Whether an instruction of the unallocated function loads a constant into a register and does nothing else, so that
/// the allocator may repeat it elsewhere.
bool is_constant_load(const mir::Function& function, mir::InstId inst);

/// The shape of the allocated function: every original instruction stands once, in order, in its block, unchanged but
/// for registers; what is added only moves values; the graphs are the same but for blocks on split edges; registers are
/// legal.
CheckFinding check_shape(const mir::Function& before, const mir::Function& after);

/// The values: a data-flow analysis over one graph.
CheckFinding check_values(const mir::Function& before, const mir::Function& after, bool linear);

}  // namespace spalt::regalloc
