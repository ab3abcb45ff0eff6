// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/float_controls.h"
#include "ir/function.h"

namespace spalt::lower {

/// Turns what no instruction does with 8 and 16 bits into operations of 32 bits: all arithmetic on bytes; division,
/// high products, and searches for bits on i16; division, remainders, sine, cosine and scaling on f16, rounded once at
/// the end; conversions between i8, i16 or f16 and what is not 16 bits wide, without rounding twice. Accesses to narrow
/// vectors become accesses to dwords where their alignment allows, else to single elements; vectors of bytes become
/// words.
///
/// What is left: i16 addition, subtraction, low products, bits, shifts, minima, maxima and comparisons; f16 arithmetic
/// but the above; conversions i16 - f16 and f16 - f32, extensions and truncations up to 32 bits; loads and stores of
/// one element. Linear; nothing is looked at where the function never had a narrow value. Run lower_arithmetic after
/// it. Returns true if changed.
bool lower_narrow(ir::Function& function, CompileContext& context, ir::FloatControls float_controls = {});

}  // namespace spalt::lower
