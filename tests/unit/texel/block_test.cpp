// SPDX-License-Identifier: MIT
// Block compression. BC1 to BC5 against the formulas of the Khronos Data Format specification in long double; of BC6H
// and BC7 what a person can work out: tests/formats compares random blocks of all modes with a Vulkan driver.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "reference.h"
#include "texel/codec.h"

namespace spalt::texel {
namespace {

using Bytes = std::array<uint8_t, 16>;
using Texels = std::array<Texel, 16>;

Texels decode(Shape shape, Number number, const Bytes& bytes) {
  Texels texels;
  decode_block({shape, number}, reinterpret_cast<const std::byte*>(bytes.data()), texels);
  return texels;
}

Bytes random_bytes(std::mt19937& random) {
  Bytes bytes;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

/// What long double leaves of terms that cancel each other is 0.
uint32_t as_register(long double number) {
  const bool cancelled = number != 0 && std::fabs(number) < 1e-15L;
  return std::bit_cast<uint32_t>(cancelled ? 0.0f : static_cast<float>(number));
}

long double to_linear(long double encoded) {
  return encoded <= 0.04045L ? encoded / 12.92L : std::pow((encoded + 0.055L) / 1.055L, 2.4L);
}

// ---- the formulas ----

/// Red, green or blue of a texel of the colour block at `at`.
long double color_of(const uint8_t* at, unsigned texel, unsigned component, bool always_four) {
  const uint64_t ends[] = {reference::get_bits(at, 0, 16), reference::get_bits(at, 16, 16)};
  const unsigned offset = component == 0 ? 11 : component == 1 ? 5 : 0, bits = component == 1 ? 6 : 5;
  const long double c0 = reference::value_of("UNORM", reference::get_bits(at, offset, bits), bits);
  const long double c1 = reference::value_of("UNORM", reference::get_bits(at, 16 + offset, bits), bits);
  const bool four = always_four || ends[0] > ends[1];
  switch (reference::get_bits(at, 32 + 2 * texel, 2)) {
    case 0:
      return c0;
    case 1:
      return c1;
    case 2:
      return four ? (2 * c0 + c1) / 3 : (c0 + c1) / 2;
    default:
      return four ? (c0 + 2 * c1) / 3 : 0;
  }
}

/// The channel of a block of single numbers at `at`.
long double scalar_of(const uint8_t* at, unsigned texel, bool is_signed) {
  const char* number = is_signed ? "SNORM" : "UNORM";
  const long double r0 = reference::value_of(number, at[0], 8), r1 = reference::value_of(number, at[1], 8);
  const bool six = is_signed ? static_cast<int8_t>(at[0]) > static_cast<int8_t>(at[1]) : at[0] > at[1];
  const auto code = static_cast<int>(reference::get_bits(at, 16 + 3 * texel, 3));
  if (code < 2) return code == 0 ? r0 : r1;
  if (six) return ((8 - code) * r0 + (code - 1) * r1) / 7;
  if (code < 6) return ((6 - code) * r0 + (code - 1) * r1) / 5;
  return code == 7 ? 1 : is_signed ? -1 : 0;
}

void expect_color(const Texels& texels, const uint8_t* at, bool always_four, bool srgb) {
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned c = 0; c < 3; ++c) {
      const long double number = color_of(at, i, c, always_four);
      ASSERT_EQ(texels[i][c], as_register(srgb ? to_linear(number) : number)) << i << " " << c;
    }
  }
}

TEST(Block, Bc1) {
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    Bytes bytes = random_bytes(random);
    if (round % 8 == 0) std::memcpy(&bytes[2], &bytes[0], 2);
    for (const bool srgb : {false, true}) {
      const Texels texels = decode(Shape::bc1, srgb ? Number::srgb : Number::unorm, bytes);
      expect_color(texels, bytes.data(), false, srgb);
      const bool three = reference::get_bits(bytes.data(), 0, 16) <= reference::get_bits(bytes.data(), 16, 16);
      for (unsigned i = 0; i < 16; ++i) {
        const bool transparent = three && reference::get_bits(bytes.data(), 32 + 2 * i, 2) == 3;
        ASSERT_EQ(texels[i][3], as_register(transparent ? 0 : 1));
      }
    }
  }
}

TEST(Block, Bc2AndBc3HaveFourColorsAndTheirOwnAlpha) {
  std::mt19937 random(2);
  for (int round = 0; round < 5000; ++round) {
    const Bytes bytes = random_bytes(random);
    for (const bool srgb : {false, true}) {
      const Number number = srgb ? Number::srgb : Number::unorm;
      const Texels bc2 = decode(Shape::bc2, number, bytes), bc3 = decode(Shape::bc3, number, bytes);
      expect_color(bc2, &bytes[8], true, srgb);
      expect_color(bc3, &bytes[8], true, srgb);
      for (unsigned i = 0; i < 16; ++i) {
        const uint64_t alpha = reference::get_bits(bytes.data(), 4 * i, 4);
        ASSERT_EQ(bc2[i][3], as_register(reference::value_of("UNORM", alpha, 4)));
        ASSERT_EQ(bc3[i][3], as_register(scalar_of(bytes.data(), i, false)));
      }
    }
  }
}

TEST(Block, Bc4AndBc5) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = random_bytes(random);
    if (round % 8 == 0) bytes[0] = 0x80;
    if (round % 8 == 1) bytes[1] = 0x80;
    if (round % 8 == 2) bytes[1] = bytes[0];
    for (const bool is_signed : {false, true}) {
      const Number number = is_signed ? Number::snorm : Number::unorm;
      const Texels bc4 = decode(Shape::bc4, number, bytes), bc5 = decode(Shape::bc5, number, bytes);
      for (unsigned i = 0; i < 16; ++i) {
        const uint32_t first = as_register(scalar_of(bytes.data(), i, is_signed));
        ASSERT_EQ(bc4[i], (Texel{first, 0, 0, 0})) << i;
        ASSERT_EQ(bc5[i], (Texel{first, as_register(scalar_of(&bytes[8], i, is_signed)), 0, 0})) << i;
      }
    }
  }
}

TEST(Block, ReservedModesAreZero) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    Bytes bytes = random_bytes(random);
    bytes[0] = 0;
    EXPECT_EQ(decode(Shape::bc7, Number::unorm, bytes), Texels{});
    EXPECT_EQ(decode(Shape::bc7, Number::srgb, bytes), Texels{});
    for (const unsigned mode : {19u, 23u, 27u, 31u}) {
      bytes[0] = static_cast<uint8_t>((random() & 0xe0) | mode);
      EXPECT_EQ(decode(Shape::bc6, Number::ufloat, bytes), Texels{});
      EXPECT_EQ(decode(Shape::bc6, Number::floating, bytes), Texels{});
    }
  }
}

/// Mode 6: one subset, ends of 7 bits and one more, indices of 4 bits.
Bytes bc7_mode6(const std::array<std::array<uint8_t, 2>, 4>& ends, unsigned p0, unsigned p1, uint64_t indices) {
  Bytes bytes{};
  reference::set_bits(bytes.data(), 0, 7, 0x40);
  for (unsigned c = 0; c < 4; ++c) {
    for (unsigned end = 0; end < 2; ++end) reference::set_bits(bytes.data(), 7 + 14 * c + 7 * end, 7, ends[c][end]);
  }
  reference::set_bits(bytes.data(), 63, 1, p0);
  reference::set_bits(bytes.data(), 64, 1, p1);
  reference::set_bits(bytes.data(), 65, 63, indices);
  return bytes;
}

TEST(Block, Bc7Mode6InterpolatesInSixtyFourths) {
  // Index 0 has three bits; texel 1 has index 15, texel 2 index 5.
  const uint64_t indices = 0 | uint64_t{15} << 3 | uint64_t{5} << 7;
  const Bytes bytes = bc7_mode6({{{0, 127}, {127, 0}, {64, 64}, {127, 127}}}, 0, 1, indices);
  const Texels texels = decode(Shape::bc7, Number::unorm, bytes);
  const auto number = [](int code) { return as_register(code / 255.0L); };
  EXPECT_EQ(texels[0], (Texel{number(0), number(254), number(128), number(254)}));
  EXPECT_EQ(texels[1], (Texel{number(255), number(1), number(129), number(255)}));
  // Weight 21: (43 x 254 + 21 x 1 + 32) / 64 is 171.
  EXPECT_EQ(texels[2], (Texel{number(84), number(171), number(128), number(254)}));
  const Texels srgb = decode(Shape::bc7, Number::srgb, bytes);
  EXPECT_EQ(srgb[2][0], as_register(to_linear(84 / 255.0L)));
  EXPECT_EQ(srgb[2][3], number(254));
}

/// Mode 15 of BC6H has a first end of 16 bits and one subset.
Bytes bc6_mode15(uint32_t value) {
  Bytes bytes{};
  reference::set_bits(bytes.data(), 0, 5, 15);
  for (unsigned c = 0; c < 3; ++c) {
    reference::set_bits(bytes.data(), 5 + 10 * c, 10, value & 0x3ff);
    for (unsigned bit = 10; bit < 16; ++bit)
      reference::set_bits(bytes.data(), 39 + 10 * c + 15 - bit, 1, value >> bit & 1);
  }
  return bytes;
}

TEST(Block, Bc6CoversTheFiniteHalves) {
  const auto expect_all = [](Number number, uint32_t value, float expected) {
    for (const Texel& texel : decode(Shape::bc6, number, bc6_mode15(value))) {
      EXPECT_EQ(texel, (Texel{as_register(expected), as_register(expected), as_register(expected), 0})) << value;
    }
  };
  expect_all(Number::ufloat, 0, 0);
  expect_all(Number::ufloat, 0xffff, 65504);
  expect_all(Number::ufloat, 0x7bdf, 1.0f);  // x 31 / 64 is 0x3c00
  expect_all(Number::ufloat, 0x7bde, 1 - 0x1p-11f);
  expect_all(Number::floating, 0x7fff, 65504);
  expect_all(Number::floating, 0x8001, -65504);
  expect_all(Number::floating, 0x8000, -INFINITY);
  expect_all(Number::floating, 0xffff, -0.0f);
}

TEST(Block, PlainLayoutsHaveNoBlocks) {
  EXPECT_EQ(decode(Shape::s8_8_8_8, Number::unorm, Bytes{1, 2, 3, 4}), Texels{});
}

}  // namespace
}  // namespace spalt::texel
