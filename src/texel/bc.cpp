// SPDX-License-Identifier: MIT
// BC1 to BC5 (Khronos Data Format specification, "S3TC Compressed Texture Image Formats" and "RGTC Compressed Texture
// Image Formats"). A block has two ends and codes that choose among the ends and the numbers between them. These are
// computed exactly: as integers over a common denominator, which one division or one table makes a float.
#include <algorithm>
#include <bit>
#include <cstring>

#include "texel/block.h"
#include "texel/srgb_curve.h"

namespace spalt::texel {
namespace {

constexpr uint32_t kOne = 0x3f800000u;

uint64_t load64(const std::byte* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

uint32_t quotient(int numerator, int denominator) {
  return std::bit_cast<uint32_t>(static_cast<float>(numerator) / static_cast<float>(denominator));
}

// ---- colours ----

/// Sixths of the largest component: thirds and halves between two ends are integers.
constexpr int kDenominator5 = 31 * 6, kDenominator6 = 63 * 6;

template <int Denominator>
constexpr auto srgb_table() {
  std::array<float, Denominator + 1> table{};
  for (int i = 0; i <= Denominator; ++i)
    table[i] = static_cast<float>(srgb_to_linear(static_cast<double>(i) / Denominator));
  return table;
}
constexpr auto kLinear5 = srgb_table<kDenominator5>();
constexpr auto kLinear6 = srgb_table<kDenominator6>();

uint32_t color_component(int numerator, bool has_six_bits, bool srgb) {
  if (srgb) return std::bit_cast<uint32_t>(has_six_bits ? kLinear6[numerator] : kLinear5[numerator]);
  return quotient(numerator, has_six_bits ? kDenominator6 : kDenominator5);
}

/// The colours of codes 0 to 3, opaque.
std::array<Texel, 4> color_palette(uint32_t ends, bool four_colors, bool srgb) {
  std::array<Texel, 4> palette;
  for (Texel& color : palette) color[3] = kOne;
  constexpr struct { unsigned shift, mask; } kComponents[] = {{11, 31}, {5, 63}, {0, 31}};
  for (unsigned c = 0; c < 3; ++c) {
    const int a = static_cast<int>(ends >> kComponents[c].shift & kComponents[c].mask);
    const int b = static_cast<int>(ends >> (16 + kComponents[c].shift) & kComponents[c].mask);
    const int numerators[] = {6 * a, 6 * b, four_colors ? 4 * a + 2 * b : 3 * (a + b), four_colors ? 2 * a + 4 * b : 0};
    for (unsigned code = 0; code < 4; ++code) palette[code][c] = color_component(numerators[code], c == 1, srgb);
  }
  return palette;
}

/// The order of the ends chooses between two colours between them and one with transparent black.
void decode_colors(const std::byte* bytes, bool always_four, bool srgb, Block& block) {
  const uint64_t word = load64(bytes);
  const bool four_colors = always_four || (word & 0xffff) > (word >> 16 & 0xffff);
  std::array<Texel, 4> palette = color_palette(static_cast<uint32_t>(word), four_colors, srgb);
  if (!four_colors) palette[3][3] = 0;
  for (unsigned i = 0; i < 16; ++i) block[i] = palette[word >> (32 + 2 * i) & 3];
}

// ---- single channels ----

struct ScalarRange {
  int least, most;  ///< of an end; `least` is the number -1 or 0, `most` is 1
};
constexpr ScalarRange kUnsigned = {0, 255}, kSigned = {-127, 127};

/// Thirty-fifths of an end: sevenths and fifths between two ends are integers.
std::array<uint32_t, 8> scalar_palette(int a, int b, bool six_between, ScalarRange range) {
  std::array<int, 8> numerators = {35 * a, 35 * b};
  for (int code = 2; code < 8; ++code) {
    numerators[code] = six_between ? 5 * ((8 - code) * a + (code - 1) * b) : 7 * ((6 - code) * a + (code - 1) * b);
  }
  if (!six_between) {
    numerators[6] = 35 * range.least;
    numerators[7] = 35 * range.most;
  }
  std::array<uint32_t, 8> palette;
  for (unsigned code = 0; code < 8; ++code) palette[code] = quotient(numerators[code], 35 * range.most);
  return palette;
}

}  // namespace

void decode_bc1(const std::byte* bytes, bool srgb, Block& block) {
  decode_colors(bytes, false, srgb, block);
}

void decode_bc2(const std::byte* bytes, bool srgb, Block& block) {
  decode_colors(bytes + 8, true, srgb, block);
  const uint64_t alpha = load64(bytes);
  for (unsigned i = 0; i < 16; ++i) block[i][3] = quotient(static_cast<int>(alpha >> (4 * i) & 15), 15);
}

void decode_bc3(const std::byte* bytes, bool srgb, Block& block) {
  decode_colors(bytes + 8, true, srgb, block);
  decode_bc4(bytes, false, 3, block);
}

void decode_bc4(const std::byte* bytes, bool is_signed, unsigned channel, Block& block) {
  const uint64_t word = load64(bytes);
  const ScalarRange range = is_signed ? kSigned : kUnsigned;
  const auto end = [&](unsigned shift) {
    const auto byte = static_cast<uint8_t>(word >> shift);
    return is_signed ? int{static_cast<int8_t>(byte)} : int{byte};
  };
  // The specification leaves open how -127 and -128, the same number, compare: here as the bytes do.
  const bool six_between = end(0) > end(8);
  const auto palette = scalar_palette(std::max(end(0), range.least), std::max(end(8), range.least), six_between, range);
  for (unsigned i = 0; i < 16; ++i) block[i][channel] = palette[word >> (16 + 3 * i) & 7];
}

}  // namespace spalt::texel
