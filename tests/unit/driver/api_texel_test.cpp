// SPDX-License-Identifier: MIT
// Formats and texels as a caller of the public API uses them. That every format is converted rightly is tested beside
// src/texel.
#include <gtest/gtest.h>
#include <spalt/texel.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cstring>
#include <string>
#include <vector>

namespace {

enum : uint32_t {  // VkFormat
  kR5G6B5 = 4,
  kB5G6R5 = 5,
  kRgba8 = 37,
  kBgra8 = 44,
  kBgra8Srgb = 50,
  kR16Sfloat = 76,
  kRgba32Float = 109,
  kR64Uint = 110,
  kB10G11R11 = 122,
  kE5B9G9R9 = 123,
  kX8D24 = 125,
  kD32 = 126,
  kS8 = 127,
  kD24S8 = 129,
  kBc1Rgb = 131,
  kBc1Rgba = 133,
  kBc6Ufloat = 143,
  kA8 = 1000470001
};

spalt_format_info query(uint32_t format) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(spalt_query_format(format, &info), SPALT_SUCCESS) << format;
  return info;
}

std::array<uint32_t, 4> bits_of(const spalt_format_info& info) {
  return {info.component_bits[0], info.component_bits[1], info.component_bits[2], info.component_bits[3]};
}

using Bits = std::array<uint32_t, 4>;

TEST(QueryFormat, PlainColour) {
  const spalt_format_info info = query(kR5G6B5);
  EXPECT_STREQ(info.name, "R5G6B5_UNORM_PACK16");
  EXPECT_EQ(info.block_width, 1u);
  EXPECT_EQ(info.block_height, 1u);
  EXPECT_EQ(info.block_bytes, 2u);
  EXPECT_EQ(info.aspects, 1u);
  EXPECT_EQ(info.number, uint32_t{SPALT_NUMBER_UNORM});
  EXPECT_EQ(bits_of(info), (Bits{5, 6, 5, 0}));
  EXPECT_EQ(info.depth_format, 0u);
  EXPECT_EQ(info.stencil_format, 0u);
}

TEST(QueryFormat, BitsAreThoseOfTheComponents) {
  EXPECT_EQ(bits_of(query(kA8)), (Bits{0, 0, 0, 8}));
  EXPECT_EQ(bits_of(query(kB10G11R11)), (Bits{11, 11, 10, 0}));
  EXPECT_EQ(bits_of(query(kE5B9G9R9)), (Bits{9, 9, 9, 0}));
  EXPECT_EQ(bits_of(query(kR64Uint)), (Bits{64, 0, 0, 0}));
  EXPECT_EQ(query(kB10G11R11).number, uint32_t{SPALT_NUMBER_UFLOAT});
  EXPECT_EQ(query(kE5B9G9R9).number, uint32_t{SPALT_NUMBER_UFLOAT});
  EXPECT_EQ(query(kBc6Ufloat).number, uint32_t{SPALT_NUMBER_UFLOAT});
  EXPECT_EQ(query(kR16Sfloat).number, uint32_t{SPALT_NUMBER_FLOAT});
}

TEST(QueryFormat, DepthAndStencilHavePlanes) {
  const spalt_format_info both = query(kD24S8);
  EXPECT_EQ(both.aspects, 6u);
  EXPECT_EQ(both.depth_format, uint32_t{kX8D24});
  EXPECT_EQ(both.stencil_format, uint32_t{kS8});
  EXPECT_EQ(both.block_bytes, 4u);
  EXPECT_EQ(bits_of(both), (Bits{24, 0, 0, 0}));
  EXPECT_EQ(query(kD32).depth_format, uint32_t{kD32});
  EXPECT_EQ(query(kD32).stencil_format, 0u);
  EXPECT_EQ(query(kS8).stencil_format, uint32_t{kS8});
  EXPECT_EQ(query(kS8).depth_format, 0u);
}

TEST(QueryFormat, Compressed) {
  const spalt_format_info info = query(kBc1Rgb);
  EXPECT_EQ(info.block_width, 4u);
  EXPECT_EQ(info.block_height, 4u);
  EXPECT_EQ(info.block_bytes, 8u);
  EXPECT_EQ(bits_of(info), (Bits{5, 6, 5, 0}));
}

TEST(QueryFormat, KnownFormatsAreListed) {
  uint32_t last = 0;
  size_t count = 0;
  for (; spalt_known_format(count) != 0; ++count) {
    EXPECT_GT(spalt_known_format(count), last);
    last = spalt_known_format(count);
    EXPECT_NE(query(last).name, nullptr);
  }
  EXPECT_EQ(last, uint32_t{kA8});
  EXPECT_GT(count, 130u);
  EXPECT_EQ(spalt_known_format(SIZE_MAX), 0u);
}

TEST(QueryFormat, RefusesWhatItCannotAnswer) {
  spalt_format_info info{};
  EXPECT_EQ(spalt_query_format(kRgba8, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_query_format(kRgba8, &info), SPALT_ERROR_INVALID_ARGUMENT);  // no size
  info.struct_size = sizeof info;
  for (const uint32_t unknown : {0u, 29u, 112u, 147u, 0xffffffffu}) {
    EXPECT_EQ(spalt_query_format(unknown, &info), SPALT_ERROR_INVALID_ARGUMENT) << unknown;
  }
}

TEST(QueryFormat, FillsOnlyWhatAnOlderCallerHas) {
  spalt_format_info info;
  std::memset(static_cast<void*>(&info), 0x5a, sizeof info);
  info.struct_size = offsetof(spalt_format_info, block_bytes);
  ASSERT_EQ(spalt_query_format(kRgba8, &info), SPALT_SUCCESS);
  EXPECT_STREQ(info.name, "R8G8B8A8_UNORM");
  EXPECT_EQ(info.block_height, 1u);
  EXPECT_EQ(info.block_bytes, 0x5a5a5a5au);
}

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

std::vector<spalt_texel> decode(uint32_t format, const std::vector<uint8_t>& bytes, size_t count) {
  std::vector<spalt_texel> texels(count);
  EXPECT_EQ(spalt_decode_texels(format, bytes.data(), count, texels.data()), SPALT_SUCCESS);
  return texels;
}

void expect_texel(const spalt_texel& texel, const Bits& expected) {
  EXPECT_EQ((Bits{texel.rgba[0], texel.rgba[1], texel.rgba[2], texel.rgba[3]}), expected);
}

TEST(DecodeTexels, ComponentsAreInTheOrderOfAShader) {
  expect_texel(decode(kBgra8, {0, 51, 255, 102}, 1)[0], {bits(1), bits(0.2f), bits(0), bits(0.4f)});
  expect_texel(decode(kR5G6B5, {0x1f, 0x00}, 1)[0], {bits(0), bits(0), bits(1), bits(1)});
  expect_texel(decode(kB5G6R5, {0x1f, 0x00}, 1)[0], {bits(1), bits(0), bits(0), bits(1)});
  expect_texel(decode(kA8, {51}, 1)[0], {0, 0, 0, bits(0.2f)});
  expect_texel(decode(kX8D24, {0xff, 0xff, 0xff, 0x77}, 1)[0], {bits(1), 0, 0, bits(1)});
  expect_texel(decode(kS8, {200}, 1)[0], {200, 0, 0, 1});
  expect_texel(decode(kR64Uint, {1, 0, 0, 0, 2, 0, 0, 0}, 1)[0], {1, 2, 0, 1});
}

TEST(EncodeTexels, ComponentsFindTheirBytes) {
  const spalt_texel texel = {{bits(1), bits(0.2f), bits(0), bits(0.4f)}};
  std::array<uint8_t, 4> bytes{};
  ASSERT_EQ(spalt_encode_texels(kBgra8, &texel, 1, bytes.data()), SPALT_SUCCESS);
  EXPECT_EQ(bytes, (std::array<uint8_t, 4>{0, 51, 255, 102}));
  ASSERT_EQ(spalt_encode_texels(kBgra8Srgb, &texel, 1, bytes.data()), SPALT_SUCCESS);
  EXPECT_EQ(bytes, (std::array<uint8_t, 4>{0, 124, 255, 102}));
  bytes = {9, 9, 9, 9};
  ASSERT_EQ(spalt_encode_texels(kA8, &texel, 1, bytes.data()), SPALT_SUCCESS);
  EXPECT_EQ(bytes, (std::array<uint8_t, 4>{102, 9, 9, 9}));
  ASSERT_EQ(spalt_encode_texels(kX8D24, &texel, 1, bytes.data()), SPALT_SUCCESS);
  EXPECT_EQ(bytes, (std::array<uint8_t, 4>{255, 255, 255, 0}));
}

TEST(DecodeTexels, BlocksAreSixteenTexels) {
  // Red and black, three colours: the codes are 0, 1, 2, 3 in each row.
  const std::vector<uint8_t> block = {0x00, 0x00, 0x00, 0xf8, 0xe4, 0xe4, 0xe4, 0xe4};
  for (const uint32_t format : {uint32_t{kBc1Rgb}, uint32_t{kBc1Rgba}}) {
    const std::vector<spalt_texel> texels = decode(format, block, 16);
    const uint32_t alpha = format == kBc1Rgb ? bits(1) : 0;
    for (size_t row = 0; row < 16; row += 4) {
      expect_texel(texels[row], {bits(0), 0, 0, bits(1)});
      expect_texel(texels[row + 1], {bits(1), 0, 0, bits(1)});
      expect_texel(texels[row + 2], {bits(0.5f), 0, 0, bits(1)});
      expect_texel(texels[row + 3], {bits(0), 0, 0, alpha});
    }
  }
  spalt_texel texels[32];
  for (const size_t count : {size_t{0}, size_t{1}, size_t{15}, size_t{32}}) {
    EXPECT_EQ(spalt_decode_texels(kBc1Rgb, block.data(), count, texels), SPALT_ERROR_INVALID_ARGUMENT) << count;
  }
}

/// More texels than the library converts at a time.
TEST(Texels, LongRows) {
  constexpr size_t kCount = 1000;
  std::vector<uint8_t> bytes(kCount * 4), again(kCount * 4);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7 + i / 256);
  const std::vector<spalt_texel> texels = decode(kRgba8, bytes, kCount);
  for (size_t i = 0; i < kCount; ++i) EXPECT_EQ(texels[i].rgba[2], bits(static_cast<float>(bytes[i * 4 + 2]) / 255));
  ASSERT_EQ(spalt_encode_texels(kRgba8, texels.data(), kCount, again.data()), SPALT_SUCCESS);
  EXPECT_EQ(bytes, again);
}

TEST(Texels, RoundingModeOfTheCallerDoesNotMatter) {
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const spalt_texel third = {{bits(0.4981f), 0, 0, 0}};  // 127.02
    uint8_t byte[4] = {};
    const spalt_result result = spalt_encode_texels(kRgba8, &third, 1, byte);
    const uint8_t given[] = {85, 0, 0, 0};
    spalt_texel decoded{};
    spalt_decode_texels(kRgba8, given, 1, &decoded);
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(result, SPALT_SUCCESS);
    EXPECT_EQ(after, mode);
    EXPECT_EQ(byte[0], 127);
    EXPECT_EQ(decoded.rgba[0], bits(1.0f / 3));
  }
}

TEST(Texels, RefusesWhatItCannotConvert) {
  uint8_t bytes[16] = {};
  spalt_texel texels[16] = {};
  for (const uint32_t format : {0u, 29u, uint32_t{kD24S8}, 0xffffffffu}) {
    EXPECT_EQ(spalt_decode_texels(format, bytes, 1, texels), SPALT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(spalt_encode_texels(format, texels, 1, bytes), SPALT_ERROR_INVALID_ARGUMENT);
  }
  EXPECT_EQ(spalt_encode_texels(kBc1Rgb, texels, 16, bytes), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_decode_texels(kRgba8, nullptr, 1, texels), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_decode_texels(kRgba8, bytes, 1, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_encode_texels(kRgba8, nullptr, 1, bytes), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_encode_texels(kRgba8, texels, 1, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_decode_texels(kRgba8, bytes, SIZE_MAX, texels), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_encode_texels(kRgba32Float, texels, SIZE_MAX / 8, bytes), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_decode_texels(kRgba8, nullptr, 0, nullptr), SPALT_SUCCESS);
  EXPECT_EQ(spalt_encode_texels(kRgba8, nullptr, 0, nullptr), SPALT_SUCCESS);
}

}  // namespace
