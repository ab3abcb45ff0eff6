// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Lets instructions read and write the 16-bit halves of registers themselves, in place of the shifts and masks that
/// take them out and put them in:
///
///   t = v_lshrrev_b32 16, x; h = v_cvt_f32_f16 t; d = v_mul_f32 h, y  ->  d = v_fma_mix_f32 x.h, y, -0
///   h = v_cvt_f16_f32 y; d = v_pack_b32_f16 l, h                      ->  d = v_fma_mixhi_f16 y, 1.0, -0, tied l
///   l = v_mul_f32 x, y; h = v_fma_f32 z, u, v; d = v_cvt_pkrtz_f16_f32 l, h
///                               ->  l = v_fma_mixlo_f16 x, y, -0; d = v_fma_mixhi_f16 z, u, v, tied l
///   t = v_and_b32 0xffff, x; d = v_lshl_or_b32 y, 16, t               ->  d = v_mov_b16 y.l, tied x, to the high half
///   d = v_bfe_i32 x, 0, 16                                            ->  d = v_cvt_i32_i16 x.l
///
/// The opcode tables say which of these a target has: v_fma_mix_* since gfx10 and on gfx906, v_mov_b16 and the
/// extensions since gfx11; SDWA stands in for the first and the third before that. Other instructions with halves of
/// registers (true16) are not made where LLVM 19 can neither assemble nor disassemble them (docs/isa-errata.md, "Halves
/// of registers").
///
/// Requires Stage::selected; keeps it. Runs after combine_vector and before form_sdwa. A value is taken apart only
/// where its one user is in the same block, so no result changes: 1.0 * x - 0 is x with its sign, a conversion from 16
/// bits is exact, and f32 results round as before. Colours that are packed for export round once, to nearest even
/// instead of towards zero. Two walks.
void form_halves(mir::Function& function, CompileContext& context);

}  // namespace spalt::opt
