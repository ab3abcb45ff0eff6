// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "ir/float_controls.h"
#include "ir/op.h"
#include "ir/type.h"

namespace spalt::ir {

/// What each pure operation computes. Constant folding, the interpreter and documentation all mean this.
///
/// Values are bit patterns zero extended to 64 bits, and results come back in that form. Covered are all pure
/// operations from scalars to a scalar, except those that ask their surroundings (phi, param, builtin, resource,
/// buffer_size, arg) and the transcendental operations on f64, which SPIR-V does not have.
///
/// Where SPIR-V or Vulkan leaves the result open, this is the choice:
///   x / 0, signed or unsigned     all ones; remainders by 0 give the dividend
///   smallest / -1                 the smallest value; its remainders are 0
///   shifts                        the amount is taken modulo the width
///   bfe, bfi past the width       the offset is cut to the width, then the count to what is left
///   float to integer              NaN gives 0, everything out of range saturates (v_cvt_i32_f32 and relatives)
///   float arithmetic              IEEE 754, nearest even; denormals are kept for every width. Hardware in the default
///                                 FLOAT_MODE flushes f32 denormals; Vulkan allows both, and folding never loses a
///                                 value. FloatControls may say otherwise, for each width
///   NaN results                   the quiet NaN with clear sign and payload, so that results do not depend on the
///   host;
///                                 fneg, fabs, select and bitcast move bits only
///   fmin, fmax                    -0 is less than +0
///   ffract                        below 1 also for tiny negative operands, as v_fract computes it
///   sin, exp2 and relatives       computed in double, then rounded
/// The caller's floating-point environment must be the default one.

/// The function that computes one operation on given types; operands in order. A plain pointer, so that the interpreter
/// looks it up once per instruction.
using Evaluator = uint64_t (*)(const uint64_t* operands);

/// The evaluator of `op`, or null if it is not covered for these types.
Evaluator find_evaluator(Op op, Type result, std::span<const Type> operand_types, const FloatControls& controls = {});

/// Evaluates once; empty if not covered.
std::optional<uint64_t> evaluate(Op op, Type result, std::span<const Type> operand_types,
                                 std::span<const uint64_t> operands, const FloatControls& controls = {});

}  // namespace spalt::ir
