// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::passes {

/// Moves instructions whose operands do not change in a loop to before it.
///
/// Requires the layout invariant; keeps it and the stage. Pure operations move however conditional they were, since
/// none can trap; loads only when nothing writes their memory and the loop always executes them, since the address
/// may be valid only there. An instruction moves at once out of all loops in which it is invariant. A loop whose
/// header has several predecessors outside, or one that branches, gets a block before it when something moves there.
/// One walk in layout order: O(instructions * loop depth).
bool hoist_loop_invariants(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context);

}  // namespace spalt::passes
