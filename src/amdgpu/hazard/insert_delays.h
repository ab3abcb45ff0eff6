// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::hazard {

/// Inserts s_delay_alu before instructions that depend on a vector or scalar result issued shortly before, on targets
/// that have it (GFX11+). The hardware would find out itself, but only after it has taken the wave's turn; told in
/// advance it issues from another wave (RDNA 3 ISA guide, S_DELAY_ALU). One instruction carries two delays: for the
/// next instruction, and for that or one of the five after it.
///
/// Requires Stage::final; keeps it. Runs last: the second delay says how many instructions to skip. Looks at each
/// block alone, as a taken branch costs more than the delays it hides. A result that is ready because an instruction in
/// between had to wait for a later one needs no delay. One walk; per register the kind and number of
/// the instruction that wrote it.
void insert_delays(mir::Function& function, CompileContext& context);

}  // namespace spalt::hazard
