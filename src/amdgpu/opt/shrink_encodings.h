// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Replaces instructions by shorter ones that compute the same, where the registers that allocation chose allow it:
///
///   v_fma_f32 d, a, b, d         -> v_fmac_f32 (4 bytes for 8)
///   v_fma_f32 d, a, b, literal   -> v_fmaak_f32 (8 for 12); literal factor -> v_fmamk_f32
///   s_mov_b32 d, literal         -> s_movk_i32; s_add_i32 d, d, literal -> s_addk_i32; s_mul_i32 -> s_mulk_i32;
///   s_cmp_* s, literal           -> s_cmpk_* (4 for 8, where the literal has 16 bits)
///   s_cmp_* of what scc already says                 -> nothing
///   image instruction with a list of address registers, each after the one before -> with a tuple (8 for 12 or more)
///
/// Of v_mov_b16, the one whose registers the short form cannot name becomes v_perm_b32: LLVM 19 does not know the long
/// form. What an instruction reads beside its listed sources stays in its uses after them. Requires Stage::allocated
/// without pseudo operations other than jumps and markers, and keeps it. Assignment prefers the addend's register for
/// the result of v_fma_f32. One walk.
void shrink_encodings(mir::Function& function, CompileContext& context);

}  // namespace spalt::opt
