// SPDX-License-Identifier: MIT
// Arithmetic of doubles that is rounded toward zero. No host type is wide enough to round it afterwards, as
// exact_arithmetic.h does for f32, so the host itself rounds that way. Operands and results pass through volatile
// objects: these stay between the calls that change the rounding, and the operation with them.
#pragma once
#include <cfenv>
#include <cmath>

namespace spalt::ir {

/// The host rounds toward zero for the life of the object, then to nearest again.
class HostTowardZero {
 public:
  HostTowardZero() { std::fesetround(FE_TOWARDZERO); }
  ~HostTowardZero() { std::fesetround(FE_TONEAREST); }
  HostTowardZero(const HostTowardZero&) = delete;
  HostTowardZero& operator=(const HostTowardZero&) = delete;
};

struct HostCutArithmetic {
  static double add(double a, double b) {
    volatile double x = a, y = b;
    const HostTowardZero scope;
    volatile double result = x + y;
    return result;
  }
  static double multiply(double a, double b) {
    volatile double x = a, y = b;
    const HostTowardZero scope;
    volatile double result = x * y;
    return result;
  }
  static double divide(double a, double b) {
    volatile double x = a, y = b;
    const HostTowardZero scope;
    volatile double result = x / y;
    return result;
  }
  static double multiply_add(double a, double b, double c) {
    volatile double x = a, y = b, z = c;
    const HostTowardZero scope;
    volatile double result = std::fma(x, y, z);
    return result;
  }
  static double root(double a) {
    volatile double x = a;
    const HostTowardZero scope;
    volatile double result = std::sqrt(x);
    return result;
  }
  template <class Integer>
  static double from_integer(Integer value) {
    volatile Integer x = value;
    const HostTowardZero scope;
    volatile double result = static_cast<double>(x);
    return result;
  }
};

}  // namespace spalt::ir
