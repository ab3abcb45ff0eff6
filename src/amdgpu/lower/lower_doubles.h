// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/float_controls.h"
#include "ir/function.h"

namespace spalt::lower {

/// Leaves of f64 what instructions compute: sums, products, roundings, comparisons and conversions to words, quotients,
/// of which selection knows a sequence, and `frsq`, which is a seed from here on. Conversions between f64 and i64 and
/// push constants become what lower_wide_integers takes on, conversions from f16 what lower_narrow does. Linear in the
/// number of instructions, and nothing where the function has no f64. Returns true if changed.
bool lower_doubles(ir::Function& function, CompileContext& context, ir::FloatControls float_controls);

}  // namespace spalt::lower
