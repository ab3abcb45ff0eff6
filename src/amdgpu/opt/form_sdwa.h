// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Lets instructions read bytes and words of their sources themselves (SDWA, sub-dword addressing), in place of the
/// mask, shift or field extraction that made them:
///
///   t = v_lshrrev_b32 16, x; d = v_add_nc_u32 t, y  ->  d = v_add_nc_u32 x, y src0_sel=WORD_1
///
/// Requires Stage::selected; keeps it. Runs after combine_vector, which makes field extractions. An extraction goes if
/// its only user is a short integer instruction of the same block whose other source is a register too: SDWA has no
/// constants (Vega ISA guide, "SDWA"). Does nothing on targets without SDWA. One walk.
void form_sdwa(mir::Function& function, CompileContext& context);

}  // namespace spalt::opt
