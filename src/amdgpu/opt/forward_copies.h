// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Lets the readers of a copied register read the original, and drops the copy:
///
///   s4 = s_mov_b32 s11; ... use of s4, the last one     -> use of s11
///
/// where the original is not written in between and the copy is dead afterwards, in the same block. Allocation leaves
/// such copies of parts of a tuple that lives on, and of values that it moved out of the way.
///
/// Requires Stage::allocated without pseudo operations other than jumps and markers, whose uses say which is the last
/// one (Operand::kill), and keeps it. One walk; an instruction is held against the few copies that are open.
void forward_copies(mir::Function& function, CompileContext& context);

}  // namespace spalt::opt
