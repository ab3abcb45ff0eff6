// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::passes {

/// Removes instructions whose results cannot matter.
///
/// Requires nothing beyond a valid function; keeps stage and control-flow graph. Roots are stores, atomics, barriers,
/// volatile loads and terminators; everything they reach through operands stays, so cycles of dead phis go as well.
/// O(instructions + operands).
bool eliminate_dead_code(ir::Function& function, CompileContext& context);

}  // namespace spalt::passes
