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
#include "ir/host_toward_zero.h"

namespace spalt::ir {

Evaluator find_integer_evaluator(Op op, Type type);
Evaluator find_float_evaluator(Op op, Type type, const FloatControls& controls);
Evaluator find_conversion_evaluator(Op op, Type result, Type operand, const FloatControls& controls);

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

/// Arithmetic of f16 and f32 that is rounded toward zero when it is stored.
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

/// A zero of its sign for a denormal of a format with these exponent bits.
template <bool kFlush>
constexpr uint64_t flushed(uint64_t bits, uint64_t exponent, uint64_t sign) {
  return !kFlush || (bits & exponent) != 0 ? bits : bits & sign;
}

template <bool kFlush, bool kTowardZero>
struct HalfFormat : std::conditional_t<kTowardZero, CutArithmetic, NearestArithmetic<double>> {
  using Compute = double;
  static constexpr bool kIsDouble = false;
  static constexpr uint64_t kSign = 0x8000;
  static constexpr uint64_t kBelowOne = 0x3bff;
  static uint64_t flush(uint64_t bits) { return flushed<kFlush>(bits & 0xffff, kHalfInfinity, kSign); }
  static Compute load(uint64_t bits) { return half_to_double(static_cast<uint16_t>(flush(bits))); }
  static uint64_t store(Compute value) { return flush(kTowardZero ? cut_to_half(value) : double_to_half(value)); }
};

template <bool kFlush, bool kTowardZero>
struct SingleFormat : std::conditional_t<kTowardZero, CutArithmetic, NearestArithmetic<float>> {
  using Compute = std::conditional_t<kTowardZero, double, float>;
  static constexpr bool kIsDouble = false;
  static constexpr uint64_t kSign = 0x80000000u;
  static constexpr uint64_t kBelowOne = 0x3f7fffff;
  static uint64_t flush(uint64_t bits) { return flushed<kFlush>(bits & 0xffffffffu, 0x7f800000u, kSign); }
  static Compute load(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(flush(bits))); }
  static uint64_t store(Compute value) {
    if (std::isnan(value)) return 0x7fc00000u;
    if constexpr (kTowardZero) {
      return flush(std::bit_cast<uint32_t>(cut_to_single(value)));
    } else {
      return flush(std::bit_cast<uint32_t>(value));
    }
  }
};

template <bool kFlush, bool kTowardZero>
struct DoubleFormat : std::conditional_t<kTowardZero, HostCutArithmetic, NearestArithmetic<double>> {
  using Compute = double;
  static constexpr bool kIsDouble = true;
  static constexpr uint64_t kSign = uint64_t{1} << 63;
  static constexpr uint64_t kBelowOne = 0x3fefffffffffffff;
  static uint64_t flush(uint64_t bits) { return flushed<kFlush>(bits, 0x7ff0000000000000u, kSign); }
  static Compute load(uint64_t bits) { return std::bit_cast<double>(flush(bits)); }
  static uint64_t store(Compute value) {
    return std::isnan(value) ? 0x7ff8000000000000u : flush(std::bit_cast<uint64_t>(value));
  }
};

template <template <bool, bool> class Format, class Find>
Evaluator with_format(FloatControls::Width controls, const Find& find) {
  if (controls.toward_zero) {
    return controls.flush ? find.template operator()<Format<true, true>>()
                          : find.template operator()<Format<false, true>>();
  }
  return controls.flush ? find.template operator()<Format<true, false>>()
                        : find.template operator()<Format<false, false>>();
}

/// What `find` gives for the format of a float type that the controls ask for: find.operator()<Format>(). Null for
/// other types.
template <class Find>
Evaluator with_float(Type type, const FloatControls& controls, const Find& find) {
  switch (type.scalar) {
    case Scalar::f16:
      return with_format<HalfFormat>(controls.f16, find);
    case Scalar::f32:
      return with_format<SingleFormat>(controls.f32, find);
    case Scalar::f64:
      return with_format<DoubleFormat>(controls.f64, find);
    default:
      return nullptr;
  }
}

template <unsigned Width>
constexpr uint64_t kWidthMask = Width == 64 ? ~uint64_t{0} : (uint64_t{1} << Width) - 1;

}  // namespace spalt::ir
