// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Fuses a value that is used once with the vector instruction that uses it, where selection, which sees the two values
/// apart, leaves two instructions:
///
///   v_add_nc_u32 (s_lshl_b32 x, k), y               -> v_lshl_add_u32 x, k, y
///   v_add3_u32 x, y, (v_cndmask_b32 0, 1, m)        -> v_add_co_ci_u32 x, y, m (also v_add_nc_u32, with 0 for y)
///   v_sub_nc_u32 (v_sub_nc_u32 x, y), (v_cndmask_b32 0, 1, m)
///                                                   -> v_sub_co_ci_u32 x, y, m (also of one value x: 0 for y)
///   v_and_b32 (2^n - 1), (v_lshrrev_b32 k, x)       -> v_bfe_u32 x, k, n
///   v_cndmask_b32 (v_xor_b32 0x80000000, x), y, m   -> v_cndmask_b32 -x, y, m (either source)
///   v_cmp_eq/ne_u32/i32 0, (v_sub_nc_u32 x, y)      -> v_cmp_eq/ne x, y (also v_subrev, v_xor)
///   v_sub_f32 (v_mov_b32 x with DPP), y             -> v_sub_f32 x, y with DPP (also other sums, products and bits)
///   s_cselect -1, 0 of s_cmp_* x, y as the mask of v_cndmask -> v_cmp_* x, y
///
/// Requires Stage::selected and keeps it. Both instructions stand in one block, so that the lanes, and for SGPRs the
/// trip of a loop, are the same. Values are only read later than before, never earlier. Replaced instructions are
/// removed. One forward walk, where something can be fused at all.
void combine_vector(mir::Function& function, CompileContext& context);

}  // namespace spalt::opt
