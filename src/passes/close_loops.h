// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "analysis/divergence.h"
#include "ir/module.h"

namespace spalt::passes {

struct CloseLoopsConfig {
  bool only_divergent = true;
};

/// Loop-closed SSA for loops that lanes leave in different iterations: every value that is defined in such a loop and
/// used after it passes through a phi in the block where the exit arrives, so that the phi is the per-lane copy.
///
/// Requires the layout invariant and split critical edges; keeps both and the stage. With
/// `only_divergent` false all loops are closed. Constants need no phi. O(instructions + new phis), plus the blocks
/// after each loop that has such values.
///
/// `divergence`, if given, gets what was found about the function, where it was looked at and did not change.
bool close_loops(ir::Function& function, const ir::Module& module, analysis::AnalysisCache& analyses,
                 CompileContext& context, const CloseLoopsConfig& config = {},
                 std::optional<analysis::Divergence>* divergence = nullptr);

}  // namespace spalt::passes
