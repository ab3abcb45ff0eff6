// SPDX-License-Identifier: MIT
// The parts of find_evaluator, one per group of operations. Internal to src/ir.
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/bits.h"
#include "base/half.h"
#include "ir/evaluate.h"
#include "ir/exact_arithmetic.h"

namespace spalt::ir {

Evaluator find_integer_evaluator(Op op, Type type);
Evaluator find_float_evaluator(Op op, Type type, FloatControls controls);
Evaluator find_conversion_evaluator(Op op, Type result, Type operand, FloatControls controls);

// How each float type is loaded, computed with and stored. f16 is computed in double: sums and products of two f16 are
// exact there, quotients and square roots have more than 2p + 2 bits, so that the second rounding is harmless.

/// Arithmetic that is rounded to nearest even when it is computed.
template <class T>
struct NearestArithmetic {
  static T add(T a, T b) { return a + b; }
  static T multiply(T a, T b) { return a * b; }
  static T divide(T a, T b) { return a / b; }
  static T multiply_add(T a, T b, T c) { return std::fma(a, b, c); }
  static T root(T x) { return std::sqrt(x); }
  template <class Integer>
  static T from_integer(Integer value) {
    return static_cast<T>(value);
  }
};

struct HalfFormat : NearestArithmetic<double> {
  using Compute = double;
  static Compute load(uint64_t bits) { return half_to_double(static_cast<uint16_t>(bits)); }
  static uint64_t store(Compute value) { return double_to_half(value); }
  static constexpr uint64_t kSign = 0x8000;
  static constexpr uint64_t kBelowOne = 0x3bff;
};

/// f32 arithmetic that is rounded toward zero when it is stored.
struct CutArithmetic {
  static double add(double a, double b) { return odd_sum(a, b); }
  static double multiply(double a, double b) { return a * b; }  // exact
  static double divide(double a, double b) { return odd_quotient(a, b); }
  static double multiply_add(double a, double b, double c) { return odd_sum(a * b, c); }
  static double root(double x) { return odd_root(x); }
  /// Both parts are exact.
  template <class Integer>
  static double from_integer(Integer value) {
    const auto low = static_cast<Integer>(value & 0x7ff);
    return odd_sum(static_cast<double>(static_cast<Integer>(value - low)), static_cast<double>(low));
  }
};

template <bool kFlush, bool kTowardZero>
struct ControlledSingle : std::conditional_t<kTowardZero, CutArithmetic, NearestArithmetic<float>> {
  using Compute = std::conditional_t<kTowardZero, double, float>;
  static constexpr uint64_t kSign = 0x80000000u;
  static constexpr uint64_t kBelowOne = 0x3f7fffff;
  /// A zero of its sign for a denormal.
  static uint32_t flushed(uint32_t bits) {
    const bool keep = !kFlush || (bits & 0x7f800000u) != 0;
    return keep ? bits : bits & static_cast<uint32_t>(kSign);
  }
  static Compute load(uint64_t bits) { return std::bit_cast<float>(flushed(static_cast<uint32_t>(bits))); }
  static uint64_t store(Compute value) {
    if (std::isnan(value)) return 0x7fc00000u;
    if constexpr (kTowardZero) {
      return flushed(std::bit_cast<uint32_t>(cut_to_single(value)));
    } else {
      return flushed(std::bit_cast<uint32_t>(value));
    }
  }
};
using SingleFormat = ControlledSingle<false, false>;

/// What `find` gives for the format of f32 that the controls ask for: find.operator()<Format>().
template <class Find>
Evaluator with_single(FloatControls controls, const Find& find) {
  if (!controls.toward_zero_f32) {
    return controls.flush_f32 ? find.template operator()<ControlledSingle<true, false>>()
                              : find.template operator()<SingleFormat>();
  }
  return controls.flush_f32 ? find.template operator()<ControlledSingle<true, true>>()
                            : find.template operator()<ControlledSingle<false, true>>();
}

struct DoubleFormat : NearestArithmetic<double> {
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
