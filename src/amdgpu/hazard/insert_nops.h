// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::hazard {

/// Inserts s_nop between instructions that the target must not execute too close to each other: the rules of
/// hazard_rules.h whose target fact holds.
///
/// Requires Stage::final without p_wait, that is, stands after insert_waits, since the waits resolve some hazards and
/// take time as well. Keeps the stage; only encoding may follow, as anything that moves or removes an instruction could
/// bring two others together.
///
/// Forward data flow over the linear graph. The state holds, for each rule, the wait states that are still missing: set
/// by the rule's first instruction, counted down by every instruction, cleared by one that resolves it. At a join the
/// larger number wins, numbers only grow towards a small bound, so the iteration ends; a function without the first
/// instruction of any rule is left after one linear walk.
void insert_hazard_nops(mir::Function& function);

}  // namespace spalt::hazard
