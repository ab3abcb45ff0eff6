// SPDX-License-Identifier: MIT
// The transfer function of sRGB as a constant expression, for tables (IEC 61966-2-1; Khronos Data Format specification,
// "sRGB transfer functions").
#pragma once

namespace spalt::texel {

/// Of a number in (0, 1]: Newton's method, which comes down from 1.
constexpr double fifth_root(double x) {
  double root = 1;
  for (int i = 0; i < 60; ++i) root -= (root - x / (root * root * root * root)) / 5;
  return root;
}

/// The linear value of an encoded number from 0 to 1; the error is about 2^-52.
constexpr double srgb_to_linear(double encoded) {
  if (encoded <= 0.04045) return encoded / 12.92;
  const double base = (encoded + 0.055) / 1.055, square = base * base;
  return square * fifth_root(square);  // base to the power of 2.4
}

}  // namespace spalt::texel
