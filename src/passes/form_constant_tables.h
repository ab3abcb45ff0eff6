// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::passes {

/// Turns scratch memory that holds constants only into constant tables (Module::tables), which no invocation writes, or
/// into words of code.
///
/// Requires the layout invariant; keeps it and the stage. Memory is taken in groups of overlapping
/// Module::scratch_variables. A group becomes a table if all stores to it are of constants at constant offsets, in the
/// entry block and before all loads, and if it has no atomic or volatile access. Equal tables that lie near each other
/// are one. A load at a constant offset becomes the constant. One that chooses among elements of few bits becomes a
/// shift of a word or two that hold all of them (packed_elements.h); any other load reads the table at an offset that
/// is limited (`umin`) so that nothing outside of the group is read, whatever the index; simplify drops limits that
/// hold anyway. Drops the variables that are gone; Module::scratch_bytes shrinks to what is left. O(instructions +
/// bytes of tables). Leaves modules of several functions alone.
bool form_constant_tables(ir::Module& module, CompileContext& context);

}  // namespace spalt::passes
