// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::hazard {

/// Inserts s_waitcnt and s_waitcnt_vscnt, or the waits for split counters (GFX12), so that no instruction reads or
/// overwrites a register whose load has not arrived, none overwrites a register or the exec that an export has yet to
/// read, and replaces each p_wait by the waits that are really needed there.
///
/// Requires Stage::final except for p_wait; keeps it. Forward data flow over the linear graph. The state is the list of
/// outstanding operations with their distance: how many operations of the same counter were issued later. Loads return
/// in order, so `counter <= distance` proves arrival; scalar loads return in any order, so only 0 does (RDNA 2 ISA
/// guide, section 4.4). Loads of the same kind also write in order, so that one may overwrite the other's
/// registers without a wait (Target::loads_write_in_order). At a join the lists are united and the smaller distance
/// wins. Distances only shrink towards a fixed bound, so the iteration ends; two rounds are usual. Linear in
/// instructions times outstanding operations (at most the counter maxima).
void insert_waits(mir::Function& function, CompileContext& context);

}  // namespace spalt::hazard
