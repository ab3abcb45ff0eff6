// SPDX-License-Identifier: MIT
// The parts of find_evaluator, one per group of operations. Internal to src/ir.
#pragma once
#include <cmath>
#include <limits>

#include "base/bits.h"
#include "base/half.h"
#include "ir/evaluate.h"

namespace spalt::ir {

Evaluator find_integer_evaluator(Op op, Type type);
Evaluator find_float_evaluator(Op op, Type type);
Evaluator find_conversion_evaluator(Op op, Type result, Type operand);

// How each float type is loaded, computed with and stored. f16 is computed in double: sums and products of two f16 are
// exact there, quotients and square roots have more than 2p + 2 bits, so that the second rounding is harmless.
struct HalfFormat {
  using Compute = double;
  static Compute load(uint64_t bits) { return half_to_double(static_cast<uint16_t>(bits)); }
  static uint64_t store(Compute value) { return double_to_half(value); }
  static constexpr uint64_t kSign = 0x8000;
  static constexpr uint64_t kBelowOne = 0x3bff;
};
struct SingleFormat {
  using Compute = float;
  static Compute load(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
  static uint64_t store(Compute value) { return std::isnan(value) ? 0x7fc00000u : std::bit_cast<uint32_t>(value); }
  static constexpr uint64_t kSign = 0x80000000u;
  static constexpr uint64_t kBelowOne = 0x3f7fffff;
};
struct DoubleFormat {
  using Compute = double;
  static Compute load(uint64_t bits) { return std::bit_cast<double>(bits); }
  static uint64_t store(Compute value) {
    return std::isnan(value) ? 0x7ff8000000000000u : std::bit_cast<uint64_t>(value);
  }
  static constexpr uint64_t kSign = uint64_t{1} << 63;
  static constexpr uint64_t kBelowOne = 0x3fefffffffffffff;
};

template <unsigned Width>
constexpr uint64_t kWidthMask = Width == 64 ? ~uint64_t{0} : (uint64_t{1} << Width) - 1;

}  // namespace spalt::ir
