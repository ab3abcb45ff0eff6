// SPDX-License-Identifier: MIT
#pragma once
#include "ir/fast_math.h"
#include "ir/type.h"

namespace spalt::ir {

/// What a module demands of float arithmetic beyond IEEE 754 with nearest even, where denormals may be kept; and what
/// it allows.
struct FloatControls {
  struct Width {
    bool flush = false;                 ///< denormal operands and results count as zeros of their sign
    bool toward_zero = false;           ///< results are rounded toward zero
    uint16_t fast_math = kAllFastMath;  ///< FastMath of operations that are not precise
  };
  Width f16, f32, f64;

  /// Of the scalars of a type of floats; the defaults for other types.
  Width of(Type type) const {
    switch (type.scalar) {
      case Scalar::f16:
        return f16;
      case Scalar::f32:
        return f32;
      case Scalar::f64:
        return f64;
      default:
        return {};
    }
  }
};

}  // namespace spalt::ir
