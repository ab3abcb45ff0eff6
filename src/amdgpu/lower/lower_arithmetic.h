// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "base/compile_context.h"
#include "ir/float_controls.h"
#include "ir/function.h"

namespace spalt::lower {

/// Expands the operations that the hardware does not have: integer division and remainders, float division and
/// remainders, sine and cosine in radians, bit fields of run-time width, sums of
/// products of bytes. Results are exact for integers (any value for
/// a zero divisor) and within Vulkan's precision for floats. Linear; run value numbering after it, since a quotient and
/// a remainder of the same operands share most of their expansion. Returns true if changed.
bool lower_arithmetic(ir::Function& function, CompileContext& context, const isa::Target& target,
                      ir::FloatControls float_controls = {});

}  // namespace spalt::lower
