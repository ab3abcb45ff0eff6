// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::ir {

/// What one operation on floats may do that IEEE 754 does not allow: SPIR-V's FPFastMathMode. These are bits of
/// Inst::flags, beside those of InstFlag.
enum FastMath : uint16_t {
  kNoNaN = 1u << 2,                 ///< operands and result may be taken to be no NaN
  kNoInf = 1u << 3,                 ///< operands and result may be taken to be finite
  kNoSignedZeros = 1u << 8,         ///< either zero will do for a zero
  kAllowReciprocal = 1u << 9,       ///< a quotient may be a product with the reciprocal
  kAllowContraction = 1u << 10,     ///< may be rounded once together with another operation that may be
  kAllowReassociation = 1u << 11,   ///< sums and products may be taken in another order
  kAllowTransformation = 1u << 12,  ///< may become any operation that is equal for real numbers
};
/// What a zero, an infinity or a NaN is; SignedZeroInfNanPreserve takes these away.
constexpr uint16_t kValueFreedoms = kNoNaN | kNoInf | kNoSignedZeros;
constexpr uint16_t kAllFastMath =
    kValueFreedoms | kAllowReciprocal | kAllowContraction | kAllowReassociation | kAllowTransformation;

}  // namespace spalt::ir
