// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::passes {

/// Lets the vertex shader do what a fragment shader would compute from its inputs alone, and packs the inputs: what is
/// left of their locations is numbered anew, in as few vectors of four as hold it. What the vertex shader has to do is
/// Module::vertex_work then, which must be done wherever this fragment shader is used.
///
/// A vertex shader may compute
///   - from flat inputs and constants, anything;
///   - from inputs that are interpolated in the same way, what is linear in them: interpolation is linear, too, so that
///     the result is that of the fragment shader but for rounding (FastMath::allow_transformation). Inputs that are
///     equal at all vertices count as constants there.
/// Work moves where it takes no more components than it had. The float mode must be the default; what the vertex shader
/// says of floats must not differ.
///
/// Linear in instructions and operands. Returns true if changed.
bool move_to_vertices(ir::Module& module, CompileContext& context);

}  // namespace spalt::passes
