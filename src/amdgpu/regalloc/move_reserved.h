// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"

namespace spalt::regalloc {

/// Moves the registers that were kept out of allocation, scratch descriptor and jump pair, from the top of the file to
/// right above the highest register in use: where SGPRs limit the waves of a SIMD (Vega ISA guide, section 3.6.1), a
/// program is charged up to its highest one. Requires and keeps Stage::allocated; updates facts.sgpr_count. Linear.
void move_reserved(mir::Function& function);

}  // namespace spalt::regalloc
