// SPDX-License-Identifier: MIT
#pragma once

namespace spalt::ir {

/// What a module demands of f32 arithmetic beyond IEEE 754 with nearest even, where denormals may be kept.
struct FloatControls {
  bool flush_f32 = false;        ///< denormal operands and results count as zeros of their sign
  bool toward_zero_f32 = false;  ///< results are rounded toward zero
};

}  // namespace spalt::ir
