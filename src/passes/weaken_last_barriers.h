// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::passes {

/// Takes from the last barriers of an invocation what they order for nothing: a memory barrier after its last access to
/// memory goes, an execution barrier there acquires nothing. What an execution barrier releases stays, since others may
/// look after it, and it ends the search.
///
/// Requires nothing beyond a valid function; keeps stage and control-flow graph. Finds more after eliminate_dead_code.
/// O(blocks + instructions after the last accesses). Returns true if something changed.
bool weaken_last_barriers(ir::Function& function, CompileContext& context);

}  // namespace spalt::passes
