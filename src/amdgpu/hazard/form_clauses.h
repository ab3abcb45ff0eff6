// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::hazard {

/// Puts s_clause before neighbouring memory instructions of one kind and, where they have descriptors, of one buffer or
/// image, so that the memory unit takes them without those of other waves in between, which would drop from the cache
/// what they share (RDNA 2 ISA guide, S_CLAUSE).
///
/// Requires Stage::final; keeps it. Runs after all passes that insert instructions but insert_delays: a clause
/// holds nothing but memory instructions. Does nothing on targets without clauses. One walk.
void form_clauses(mir::Function& function, CompileContext& context);

}  // namespace spalt::hazard
