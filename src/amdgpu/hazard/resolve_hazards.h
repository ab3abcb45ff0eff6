// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::hazard {

/// Inserts what the hazards of the target need (isa::Target::hazards, hazard_rules.h): s_nop between instructions that
/// need wait states, or an instruction that makes the hardware wait.
///
/// Requires Stage::final without p_wait, that is, stands after insert_waits, since the waits resolve some hazards and
/// take time as well. Keeps the stage; only s_clause and encoding may follow, as what moves or removes instructions
/// could bring two others together. Hazard::branch_offset_3f is about distances in the code and left to encoding.
///
/// Forward data flow over the linear graph, once for each family of rules that the target has. A state says what older
/// instructions may still endanger; at a join it is the union over the paths, and it has few members, so the iteration
/// ends after as many rounds as loops are nested, plus two. A function without an endangered instruction is left after
/// one linear walk.
void resolve_hazards(mir::Function& function, CompileContext& context);

}  // namespace spalt::hazard
