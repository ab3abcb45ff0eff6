// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::passes {

struct SimplifyControlFlowConfig {
  /// A conditional arm becomes selects when it has at most this many instructions, all cheap and free of effects.
  unsigned max_arm_size = 6;
  /// ... and at most this many values to select.
  unsigned max_selects = 4;
};

struct ControlFlowChange {
  bool graph = false;   ///< blocks or edges changed
  bool values = false;  ///< so did what instructions read: phis lost operands, or selects took their place
};

/// Removes control flow that decides nothing.
///
/// Requires the layout invariant and keeps it, together with merge and continue information: a construct whose header
/// no longer branches loses its merge block; a loop whose back edge is gone is no loop header any more.
///   1. Branches on constants, and with equal targets, become jumps; blocks that cannot be reached are removed.
///   2. Empty diamonds and triangles, and those with few cheap instructions, become selects (inner ones first, so that
///      && and || chains collapse).
///   3. Jumps to a block that only jumps on go to its target where phis allow.
///   4. A block whose only predecessor has no other successor is joined with it.
/// Phis with one operand are replaced. O(blocks + instructions).
ControlFlowChange simplify_control_flow(ir::Function& function, analysis::AnalysisCache& analyses,
                                        CompileContext& context, const SimplifyControlFlowConfig& config = {});

/// Whether some branch is decided, or is the only one to its block, so that simplify_control_flow would remove blocks.
/// O(blocks).
bool has_needless_branch(const ir::Function& function);

}  // namespace spalt::passes
