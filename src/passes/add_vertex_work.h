// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::passes {

/// Does Module::vertex_work at the end of a vertex shader: the outputs of locations become what the work makes of them,
/// and the module has no work any more. What the shader does not put out, the work finds undefined; what would then be
/// undefined as a whole is not put out either. Outputs stand in one block, as the SPIR-V reader makes them. Linear in
/// instructions. Returns true if changed.
bool add_vertex_work(ir::Module& module, CompileContext& context);

}  // namespace spalt::passes
