// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::passes {

/// Replaces every switch_on by branch_if.
///
/// Requires the layout invariant; keeps it, the stage and fall-through between cases. Few cases become a chain of
/// equality tests, more a balanced tree of unsigned comparisons that ends in equality tests. Neighbouring case values
/// with the same target are one range. New blocks stand before the cases that they choose (tree_layout.h). Afterwards
/// no block has `cases`. O(cases * log cases).
bool lower_switch(ir::Function& function, CompileContext& context);

}  // namespace spalt::passes
