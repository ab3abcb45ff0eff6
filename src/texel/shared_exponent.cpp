// SPDX-License-Identifier: MIT
// E5B9G9R9: a channel is m x 2^(e - 15 - 9). Encoding is that of the Vulkan specification, "RGB to Shared Exponent
// Conversion": the largest channel decides the exponent, once more after it is rounded; halves are rounded up.
#include "texel/shared_exponent.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace spalt::texel {
namespace {

constexpr int kMantissaBits = 9, kBias = 15;
constexpr float kLargest = 511.0f / 512 * 0x1p16f;

/// 2^exponent; from -126 to 127.
float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23);
}

float clamped(float value) {
  return value > 0 ? std::min(value, kLargest) : 0;
}

/// Rounded in units of the shared exponent.
uint32_t mantissa(float value, int exponent) {
  return static_cast<uint32_t>(std::floor(double{value} * power_of_two(kBias + kMantissaBits - exponent) + 0.5));
}

/// The least exponent, biased, at which numbers of the value's binade have a mantissa below 1.
int first_exponent(float value) {
  const int binade = static_cast<int>(std::bit_cast<uint32_t>(value) >> 23) - 127;  // -127 for denormals and 0
  return std::max(-kBias - 1, binade) + 1 + kBias;
}

}  // namespace

std::array<float, 3> decode_shared_exponent(uint32_t texel) {
  const float unit = power_of_two(static_cast<int>(texel >> 27) - kBias - kMantissaBits);
  const auto channel = [&](unsigned shift) { return static_cast<float>(texel >> shift & 0x1ff) * unit; };
  return {channel(0), channel(9), channel(18)};
}

uint32_t encode_shared_exponent(float red, float green, float blue) {
  const float r = clamped(red), g = clamped(green), b = clamped(blue);
  const float largest = std::max({r, g, b});
  int exponent = first_exponent(largest);
  if (mantissa(largest, exponent) == 1u << kMantissaBits) ++exponent;
  return mantissa(r, exponent) | mantissa(g, exponent) << 9 | mantissa(b, exponent) << 18 |
         static_cast<uint32_t>(exponent) << 27;
}

}  // namespace spalt::texel
