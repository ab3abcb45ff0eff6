// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::passes {

/// Puts an empty block on every edge from a block with several successors to a block with several predecessors.
///
/// Requires lower_switch; keeps the layout invariant and the stage. The new block follows the branching block directly:
/// a forward edge stays forward, and on a back edge the new block becomes the end of its loop. Both edges to one target
/// get blocks of their own. O(blocks).
bool split_critical_edges(ir::Function& function, CompileContext& context);

}  // namespace spalt::passes
