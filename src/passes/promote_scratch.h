// SPDX-License-Identifier: MIT
#pragma once
#include "ir/module.h"

namespace spalt::passes {

struct PromoteScratchConfig {
  /// Dwords of scratch that may become values. Also bounds dwords * blocks, the cost, by 64 times its square.
  unsigned max_dwords = 256;
};

/// Turns scratch memory that is accessed at constant offsets only into SSA values.
///
/// Requires the layout invariant; keeps it and the stage. Local arrays that the reader had to leave in memory because
/// of a variable index often have constant indices after unrolling and simplify. Applies to all scratch of a function
/// or to none of it: an access with a variable offset does not say which array it stays in. Values are tracked per
/// dword in one walk in layout order, with phis at joins where predecessors disagree and at loop headers for dwords
/// written in the loop (Braun et al., "Simple and efficient construction of SSA form", CC 2013). Clears
/// Module::scratch_bytes when nothing is left. O(instructions + dwords * blocks).
bool promote_scratch(ir::Module& module, const PromoteScratchConfig& config = {});

}  // namespace spalt::passes
