// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::regalloc {

/// Registers the program may use; 0 takes what the target has. Small limits exist for tests and for occupancy: the
/// smallest ones that work are what single instructions need plus the entry registers and reserved registers, and one
/// VGPR where SGPRs spill.
struct Config {
  unsigned max_sgprs = 0;
  unsigned max_vgprs = 0;
};

/// Gives every virtual register operand a register and removes phis. Requires Stage::masked, makes Stage::allocated,
/// fills the register and spill fields of function.facts. docs/mir.md, section "Register allocation", describes the
/// phases.
void allocate_registers(mir::Function& function, const Config& config);

/// The same where the exec stage left critical logical edges. On such an edge values can move only ahead of the branch,
/// and the block on its other side may want the registers that they would overwrite. Returns the edges that have no
/// place for their copies; nothing, as a rule. Otherwise the function is of no more use: it needs blocks on these edges
/// (exec::Config).
[[nodiscard]] std::vector<mir::LogicalEdge> try_allocate_registers(mir::Function& function, const Config& config,
                                                                   CompileContext& context);

}  // namespace spalt::regalloc
