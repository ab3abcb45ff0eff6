// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::hazard {

/// On GFX11.5, which wants it: lets a program that exports run at a raised priority,
/// which it gives up after each row of exports until they are done. LLVM does the same (GCNHazardRecognizer, required
/// export priority).
///
/// Requires Stage::final after insert_waits; keeps it. One walk.
void prioritize_exports(mir::Function& function, CompileContext& context);

}  // namespace spalt::hazard
