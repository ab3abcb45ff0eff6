// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/float_controls.h"
#include "ir/function.h"

namespace spalt::lower {

/// Expands what no unit computes of 64-bit integers, on halves of 32 bits: products, quotients and remainders, minima
/// and maxima, carries, searches and fields of bits, conversions from and to other types, values of other lanes. Push
/// constants are loaded as words, of which user data consist. Shifts by a constant of 32 and more become moves.
///
/// Leaves to selection: sums, differences, bitwise operations, shifts, comparisons, selects, phis, loads, stores,
/// atomics, moves. Core stage, before push constants are lowered. Linear; costs nothing in a function without 64-bit
/// results. Returns true if changed.
bool lower_wide_integers(ir::Function& function, CompileContext& context, ir::FloatControls float_controls = {});

}  // namespace spalt::lower
