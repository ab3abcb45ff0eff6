// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::passes {

/// Removes loops that nobody can see: they read no memory that may change, write none, have no other effect, and no
/// value of theirs is used after them. All ways out must lead to one block, and there be one: a loop without a way out
/// stays, one with a way out is taken to end (docs/decisions.md, "A loop without effect is taken to end"). The header
/// becomes a jump to that block.
///
/// What only decided about such a loop is dead then, and with it perhaps another loop, after simplify_control_flow and
/// eliminate_dead_code.
///
/// O(instructions * depth of loops). Requires the layout invariant; keeps the stage. Returns true if changed.
bool eliminate_dead_loops(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context);

}  // namespace spalt::passes
