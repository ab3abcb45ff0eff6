// SPDX-License-Identifier: MIT
// Every half, and every place where rounding to one decides, against a table built by counting: from one pattern to the
// next a half grows by its unit in the last place, which doubles with each new exponent.
#include "base/half.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace spalt {
namespace {

/// Magnitudes by pattern, up to the one that would follow the largest number.
std::vector<double> magnitudes() {
  std::vector<double> values = {0};
  double unit = 0x1p-24;
  for (unsigned bits = 1; bits <= kHalfInfinity; ++bits) {
    values.push_back(values.back() + unit);
    if (bits % 0x400 == 0 && bits >= 0x800) unit *= 2;
  }
  return values;
}

TEST(Half, EveryPatternHasItsValue) {
  const std::vector<double> values = magnitudes();
  EXPECT_EQ(values[0x3c00], 1.0);
  EXPECT_EQ(values[0x7bff], 65504.0);
  EXPECT_EQ(values[kHalfInfinity], 65536.0);
  for (unsigned bits = 0; bits < kHalfInfinity; ++bits) {
    EXPECT_EQ(half_to_double(static_cast<uint16_t>(bits)), values[bits]) << bits;
    EXPECT_EQ(half_to_double(static_cast<uint16_t>(bits | 0x8000)), -values[bits]) << bits;
    EXPECT_EQ(std::signbit(half_to_double(static_cast<uint16_t>(bits | 0x8000))), true);
  }
  EXPECT_EQ(half_to_double(kHalfInfinity), std::numeric_limits<double>::infinity());
  EXPECT_EQ(half_to_double(0xfc00), -std::numeric_limits<double>::infinity());
  for (unsigned bits : {0x7c01u, 0x7e00u, 0x7fffu, 0xfc01u, 0xffffu}) {
    EXPECT_EQ(std::bit_cast<uint64_t>(half_to_double(static_cast<uint16_t>(bits))), 0x7ff8000000000000u) << bits;
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  const std::vector<double> values = magnitudes();
  const double infinity = std::numeric_limits<double>::infinity();
  for (unsigned bits = 0; bits < kHalfInfinity; ++bits) {
    const auto low = static_cast<uint16_t>(bits), high = static_cast<uint16_t>(bits + 1);
    const double middle = (values[bits] + values[bits + 1]) / 2;  // exact: one bit more than a half has
    EXPECT_EQ(double_to_half(values[bits]), low);
    EXPECT_EQ(double_to_half(std::nextafter(middle, 0.0)), low) << bits;
    EXPECT_EQ(double_to_half(middle), bits % 2 == 0 ? low : high) << bits;
    EXPECT_EQ(double_to_half(std::nextafter(middle, infinity)), high) << bits;
    EXPECT_EQ(double_to_half(std::nextafter(values[bits + 1], 0.0)), high) << bits;
    EXPECT_EQ(double_to_half(-std::nextafter(middle, infinity)), high | 0x8000) << bits;
  }
}

TEST(Half, FloatsOfEveryPattern) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = half_to_float(bits);
    const bool is_nan = (bits & 0x7fff) > kHalfInfinity;
    EXPECT_EQ(std::isnan(value), is_nan) << bits;
    if (!is_nan) {
      EXPECT_EQ(value, half_to_double(static_cast<uint16_t>(bits))) << bits;
    }
    EXPECT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    if (is_nan) {
      EXPECT_EQ(std::bit_cast<uint32_t>(value) >> 13 & 0x3ff, bits & 0x3ff) << bits;
    }
    EXPECT_EQ(truncate_to_half(std::bit_cast<uint32_t>(value)), bits);
  }
}

TEST(Half, TruncationTakesTheNextOneTowardZero) {
  const std::vector<double> values = magnitudes();
  const auto truncated = [](double value) {
    return truncate_to_half(std::bit_cast<uint32_t>(static_cast<float>(value)));
  };
  for (unsigned bits = 1; bits <= kHalfInfinity; ++bits) {
    const auto below = static_cast<double>(std::nextafter(static_cast<float>(values[bits]), 0.0f));
    EXPECT_EQ(truncated(below), bits - 1);
    EXPECT_EQ(truncated(-below), (bits - 1) | 0x8000);
  }
  EXPECT_EQ(truncated(65536.0), 0x7bffu);
  EXPECT_EQ(truncated(-1e38), 0xfbffu);
  EXPECT_EQ(truncated(1e-45), 0u);
  EXPECT_EQ(truncate_to_half(0xff800000u), 0xfc00u);
  EXPECT_EQ(truncate_to_half(0x7f800001u), 0x7e00u);  // the payload does not fit
  EXPECT_EQ(truncate_to_half(0xffc02000u), 0xfe01u);
}

TEST(Half, WhatNoHalfComesCloseTo) {
  EXPECT_EQ(double_to_half(65520.0), kHalfInfinity);  // halfway to the number that does not exist
  EXPECT_EQ(double_to_half(1e300), kHalfInfinity);
  EXPECT_EQ(double_to_half(-1e300), 0xfc00);
  EXPECT_EQ(double_to_half(std::numeric_limits<double>::infinity()), kHalfInfinity);
  EXPECT_EQ(double_to_half(0x1p-25), 0);
  EXPECT_EQ(double_to_half(-0x1p-26), 0x8000);
  EXPECT_EQ(double_to_half(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(double_to_half(-0.0), 0x8000);
  EXPECT_EQ(double_to_half(std::numeric_limits<double>::quiet_NaN()), kHalfNaN);
  EXPECT_EQ(double_to_half(-std::numeric_limits<double>::quiet_NaN()), kHalfNaN);
}

}  // namespace
}  // namespace spalt
