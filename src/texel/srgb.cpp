// SPDX-License-Identifier: MIT
// sRGB in codes of 8 bits.
//
// Decoding is a table. Encoding rounds to the nearest code: it counts how many of the 255 values halfway between two
// codes are not greater than the number. The upper bits of a float, its exponent and the first of its mantissa, name
// one of 1664 intervals; the count at the start of the interval is in a table, and no interval holds more than one of
// the 255 values. All tables are made at compile time, in double, with errors of about 2^-52: no value halfway comes
// that close to a float (the tests compare with long double).
#include "texel/srgb.h"

#include <bit>
#include <cstddef>
#include <limits>

#include "texel/srgb_curve.h"

namespace spalt::texel {
namespace {

constexpr std::array<float, 256> linear_table() {
  std::array<float, 256> table{};
  for (unsigned code = 0; code < 256; ++code) table[code] = static_cast<float>(srgb_to_linear(code / 255.0));
  return table;
}

/// At `code`: halfway from this code to the next one.
constexpr std::array<double, 256> halfway_table() {
  std::array<double, 256> table{};
  for (unsigned code = 0; code < 255; ++code) table[code] = srgb_to_linear((code + 0.5) / 255);
  table[255] = std::numeric_limits<double>::infinity();
  return table;
}
constexpr std::array<double, 256> kHalfway = halfway_table();

constexpr unsigned kIntervalShift = 16;  ///< 128 intervals to an octave
constexpr uint32_t kFirst = std::bit_cast<uint32_t>(0x1p-13f), kEnd = std::bit_cast<uint32_t>(1.0f);
static_assert(kHalfway[0] > 0x1p-13);

constexpr auto code_table() {
  std::array<uint8_t, ((kEnd - kFirst) >> kIntervalShift)> table{};
  unsigned code = 0;
  for (uint32_t i = 0; i < table.size(); ++i) {
    while (std::bit_cast<float>(kFirst + (i << kIntervalShift)) >= kHalfway[code]) ++code;
    table[i] = static_cast<uint8_t>(code);
  }
  return table;
}
constexpr auto kCodeAtStart = code_table();

constexpr bool one_value_in_each_interval() {
  for (std::size_t i = 1; i < kCodeAtStart.size(); ++i) {
    if (kCodeAtStart[i] > kCodeAtStart[i - 1] + 1) return false;
  }
  return kCodeAtStart[0] == 0 && kCodeAtStart.back() >= 254;
}
static_assert(one_value_in_each_interval());

}  // namespace

constexpr std::array<float, 256> kLinearOfSrgb = linear_table();

uint8_t srgb_of_linear(float linear) {
  if (!(linear >= 0x1p-13f)) return 0;
  if (linear >= 1) return 255;
  const unsigned code = kCodeAtStart[(std::bit_cast<uint32_t>(linear) - kFirst) >> kIntervalShift];
  return static_cast<uint8_t>(code + (linear >= kHalfway[code] ? 1 : 0));
}

}  // namespace spalt::texel
