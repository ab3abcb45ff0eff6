// SPDX-License-Identifier: MIT
#pragma once

namespace spalt::ir {

/// What a module demands of float arithmetic beyond IEEE 754 with nearest even, where denormals may be kept.
struct FloatControls {
  bool flush_f32 = false;        ///< denormal operands and results count as zeros of their sign
  bool toward_zero_f32 = false;  ///< results are rounded toward zero
  /// Zeros have signs that count, and there may be infinities and NaN: else an operation without kNoContraction may
  /// give any zero for a zero, and any number where an operand or its result is an infinity or NaN.
  bool strict_f16 = false, strict_f32 = false;
};

}  // namespace spalt::ir
