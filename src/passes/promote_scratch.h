// SPDX-License-Identifier: MIT
#pragma once
#include "analysis/analysis_cache.h"
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::passes {

struct PromoteScratchConfig {
  /// Dwords of scratch that may become values. Also bounds dwords * blocks, the cost, by 64 times its square.
  unsigned max_dwords = 256;
};

/// Turns scratch memory that is accessed at constant offsets only into SSA values.
///
/// Requires the layout invariant; keeps it and the stage. Local arrays that the reader had to leave in memory because
/// of a variable index often have constant indices after unrolling and simplify, so those must run before. Memory is
/// taken in groups of overlapping Module::scratch_variables (one group if there are none): a group stays if any access
/// to it is atomic, volatile, not in dwords, or has a variable offset, which does not say where in the group it goes.
/// Values are tracked per dword in one walk in layout order, with phis at joins where predecessors disagree and at loop
/// headers for dwords written in the loop (Braun et al., "Simple and efficient construction of SSA form", CC 2013).
/// Drops the variables that are gone; Module::scratch_bytes shrinks to what is left.
/// O(instructions + dwords * blocks). `analyses` are those of the entry point.
bool promote_scratch(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context,
                     const PromoteScratchConfig& config = {});

}  // namespace spalt::passes
