// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::passes {

/// Removes stores that nobody can see: those that are overwritten before anything reads them, those of scratch and
/// workgroup memory after which nothing reads any, and those of undefined values. Stores that are volatile, coherent or
/// atomic stay, and so does what comes before a barrier, an operation that orders memory, or the end of a lane
/// (`demote`) before it is overwritten.
///
/// One walk from the last block to the first. For each point it has the places that will be overwritten on every way
/// from there, a limited number of them; at a branch those that all successors overwrite, and none over a back edge.
/// Linear. Requires the layout invariant; keeps the stage. Returns true if changed.
bool eliminate_dead_stores(ir::Module& module, CompileContext& context);

}  // namespace spalt::passes
