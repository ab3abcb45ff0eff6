// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::sched {

/// Marks pairs of vector instructions that one VOPD instruction can do (mir::Inst::dual), moving the second half up to
/// the first where nothing in between minds, and exchanging the sources of one where their banks want that. Which pairs
/// exist is what the codec can encode (RDNA 3 ISA guide, "Dual Issue VALU": opcodes, register banks, scalar values) and
/// what the target reads in time (isa::vopd_is_safe).
///
/// Requires Stage::final with all waits in place; keeps it. Later passes may put nothing between the halves. Does
/// nothing on targets without VOPD and in wave64. Each instruction looks a few ahead: linear.
void pair_vector(mir::Function& function, CompileContext& context);

}  // namespace spalt::sched
