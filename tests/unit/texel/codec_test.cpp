// SPDX-License-Identifier: MIT
// Every value of every component of up to 16 bits, in every format that is not compressed, both ways, against
// reference.h.
#include "texel/codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "reference.h"

namespace spalt::texel {
namespace {

using reference::Component;
using reference::Meaning;
using Bytes = std::array<uint8_t, 16>;

constexpr char kLetters[] = "RGBA";

bool is_integer_name(const std::string& number) {
  return number == "UINT" || number == "SINT";
}

/// Of a plane: formats with depth and stencil are tested by their planes; integers of 64 bits apart.
std::vector<const Format*> plain_formats() {
  std::vector<const Format*> plain;
  for (const Format& format : formats()) {
    const std::string name = format.name;
    const bool tested_apart = name.substr(0, 3) == "R64" || name.substr(0, 2) == "E5";
    if (!format.shape().is_compressed() && !format.has_depth_and_stencil() && !tested_apart) plain.push_back(&format);
  }
  return plain;
}

Texel rgba_of(const Format& format, const Bytes& bytes) {
  const Texel channels = decode(format.layout, reinterpret_cast<const std::byte*>(bytes.data()));
  return swizzled(channels, format.swizzle, format.layout.number);
}

/// The register that the reference expects; nothing where any NaN will do.
std::optional<uint32_t> expected_register(const Meaning& meaning, char letter, const Bytes& bytes) {
  const char stored = letter == 'R' && meaning.find('D') != nullptr   ? 'D'
                      : letter == 'R' && meaning.find('S') != nullptr ? 'S'
                                                                      : letter;
  const Component* component = meaning.find(stored);
  const bool integer = is_integer_name(meaning.number);
  if (component == nullptr) return letter != 'A' ? 0 : integer ? 1 : 0x3f800000u;
  const uint64_t raw = reference::get_bits(bytes.data(), component->offset, component->bits);
  if (component->bits == 32) return static_cast<uint32_t>(raw);
  const long double value = reference::value_of(meaning.number_of(letter), raw, component->bits);
  if (integer) return static_cast<uint32_t>(static_cast<int64_t>(value));
  if (std::isnan(value)) return std::nullopt;
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

void expect_decoded(const Format& format, const Meaning& meaning, const Bytes& bytes) {
  const Texel rgba = rgba_of(format, bytes);
  for (unsigned i = 0; i < 4; ++i) {
    const std::optional<uint32_t> expected = expected_register(meaning, kLetters[i], bytes);
    if (expected) {
      ASSERT_EQ(rgba[i], *expected) << format.name << " " << kLetters[i];
    } else {
      ASSERT_TRUE(std::isnan(std::bit_cast<float>(rgba[i]))) << format.name << " " << kLetters[i];
    }
  }
}

Bytes random_bytes(std::mt19937& random) {
  Bytes bytes;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

TEST(Codec, DecodesEveryValueOfEveryComponent) {
  std::mt19937 random(1);
  for (const Format* format : plain_formats()) {
    const Meaning meaning = reference::meaning_of(format->name);
    ASSERT_EQ(meaning.bytes, format->shape().bytes) << format->name;
    for (const Component& component : meaning.components) {
      const uint64_t count = component.bits <= 16 ? uint64_t{1} << component.bits : 1000;
      for (uint64_t value = 0; value < count; ++value) {
        Bytes bytes = random_bytes(random);
        if (component.bits <= 16) reference::set_bits(bytes.data(), component.offset, component.bits, value);
        expect_decoded(*format, meaning, bytes);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Encodes one number into all channels and returns the bits that the component has then.
uint64_t encoded_bits(const Format& format, const Component& component, uint32_t value) {
  Bytes bytes{};
  encode(format.layout, {value, value, value, value}, reinterpret_cast<std::byte*>(bytes.data()));
  return reference::get_bits(bytes.data(), component.offset, component.bits);
}

void expect_encoded(const Format& format, const Meaning& meaning, const Component& component, float value) {
  const uint64_t expected = reference::bits_of_value(meaning.number_of(component.letter), value, component.bits);
  ASSERT_EQ(encoded_bits(format, component, std::bit_cast<uint32_t>(value)), expected)
      << format.name << " " << component.letter << " of " << value;
}

/// Numbers where rounding, clamping or truncation decides: around each value, around each middle between two.
std::vector<float> critical_numbers(const std::string& number, unsigned bits) {
  std::vector<float> values = {0.0f, -0.0f, 1.0f, -1.0f, 1e-30f, -1e-30f, 1e30f, -1e30f, INFINITY, -INFINITY, 1e-45f};
  const uint64_t count = uint64_t{1} << std::min(bits, 16u);
  const auto add_around = [&](long double value) {
    const auto nearest = static_cast<float>(value);
    for (const float v : {std::nextafter(nearest, -INFINITY), nearest, std::nextafter(nearest, INFINITY)}) {
      values.push_back(v);
    }
  };
  for (uint64_t raw = 0; raw < count; ++raw) {
    const long double value = reference::value_of(number, raw, bits);
    if (std::isnan(value)) continue;
    add_around(value);
    const long double next = reference::value_of(number, raw + 1 == count ? raw : raw + 1, bits);
    if (number == "SRGB") {
      const long double code = static_cast<long double>(raw) + 0.5L;
      add_around(std::pow((code / 255 + 0.055L) / 1.055L, 2.4L));
      add_around(code / 255 / 12.92L);
    } else if (std::isfinite(next) && std::isfinite(value)) {
      add_around((value + next) / 2);
    }
  }
  return values;
}

TEST(Codec, EncodesNumbersWhereRoundingDecides) {
  for (const Format* format : plain_formats()) {
    const Meaning meaning = reference::meaning_of(format->name);
    if (is_integer_name(meaning.number)) continue;
    for (const Component& component : meaning.components) {
      if (component.bits == 32 || component.letter == 'X') continue;
      for (const float value : critical_numbers(meaning.number_of(component.letter), component.bits)) {
        expect_encoded(*format, meaning, component, value);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Codec, NanBecomesZeroOrStaysNan) {
  for (const Format* format : plain_formats()) {
    const Meaning meaning = reference::meaning_of(format->name);
    if (is_integer_name(meaning.number)) continue;
    for (const uint32_t nan : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
      for (const Component& component : meaning.components) {
        const uint64_t raw = encoded_bits(*format, component, nan);
        if (component.letter == 'X') continue;
        if (component.bits == 32) {
          EXPECT_EQ(raw, nan);
        } else if (meaning.number == "SFLOAT" || meaning.number == "UFLOAT") {
          EXPECT_TRUE(std::isnan(reference::value_of(meaning.number, raw, component.bits))) << format->name;
        } else {
          EXPECT_EQ(raw, 0u) << format->name;
        }
      }
    }
  }
}

TEST(Codec, SaturatesIntegers) {
  for (const Format* format : plain_formats()) {
    const Meaning meaning = reference::meaning_of(format->name);
    if (!is_integer_name(meaning.number)) continue;
    for (const Component& component : meaning.components) {
      for (const int64_t value :
           {0, 1, 2, 3, 4, 127, 128, 255, 256, 511, 512, 1023, 1024, 32767, 32768, 65535, 65536, 0x7fffffff}) {
        for (const int64_t given : {value, -value, -value - 1}) {
          const auto bits = static_cast<uint32_t>(given);
          const auto seen = meaning.number == "SINT" ? static_cast<long double>(given) : static_cast<long double>(bits);
          EXPECT_EQ(encoded_bits(*format, component, bits),
                    reference::bits_of_value(meaning.number, seen, component.bits))
              << format->name << " " << given;
        }
      }
    }
  }
}

/// The texel of a number that has one, apart from the second one of SNORM -1, unused bits, and NaN without a sign.
TEST(Codec, EncodingUndoesDecoding) {
  std::mt19937 random(2);
  for (const Format* format : plain_formats()) {
    const Meaning meaning = reference::meaning_of(format->name);
    for (int round = 0; round < 2000; ++round) {
      Bytes bytes = random_bytes(random), again{};
      const Texel texel = decode(format->layout, reinterpret_cast<const std::byte*>(bytes.data()));
      encode(format->layout, texel, reinterpret_cast<std::byte*>(again.data()));
      for (const Component& component : meaning.components) {
        const uint64_t before = reference::get_bits(bytes.data(), component.offset, component.bits);
        const uint64_t after = reference::get_bits(again.data(), component.offset, component.bits);
        const bool is_second_minus_one = meaning.number == "SNORM" && before == uint64_t{1} << (component.bits - 1);
        if (meaning.number == "UFLOAT" && std::isnan(reference::value_of("UFLOAT", before, component.bits))) {
          ASSERT_TRUE(std::isnan(reference::value_of("UFLOAT", after, component.bits)));
          continue;
        }
        const uint64_t expected = component.letter == 'X' ? 0 : is_second_minus_one ? before + 1 : before;
        ASSERT_EQ(after, expected) << format->name << " " << component.letter;
      }
      for (size_t i = format->shape().bytes; i < again.size(); ++i) ASSERT_EQ(again[i], 0) << format->name;
    }
  }
}

TEST(Codec, SharedExponent) {
  const Format& format = *find_format(123);
  std::mt19937 random(3);
  for (int round = 0; round < 200000; ++round) {
    const auto word = static_cast<uint32_t>(random());
    const Texel texel = decode(format.layout, reinterpret_cast<const std::byte*>(&word));
    for (unsigned c = 0; c < 3; ++c) {
      const int exponent = static_cast<int>(word >> 27) - 24;
      ASSERT_EQ(std::bit_cast<float>(texel[c]), std::ldexp(static_cast<float>(word >> (9 * c) & 511), exponent));
    }
    ASSERT_EQ(texel[3], 0u);
  }
  const float corners[] = {0.0f,        -0.0f,       -1.0f, 65408.0f,  65407.9f,  65536.0f,      1e30f,
                           INFINITY,    -INFINITY,   NAN,   1e-45f,    0x1p-24f,  0x1p-25f,      0x1p-16f,
                           0x1.fep-17f, 0x1.ffp-17f, 1.0f,  0x1.fep0f, 0x1.ffp0f, 0x1.fffffep0f, 0x1.fefffep0f};
  for (int round = 0; round < 300000; ++round) {
    float rgb[3];
    for (float& channel : rgb) {
      const auto bits = static_cast<uint32_t>(random());
      const float near =
          std::ldexp(1.0f + static_cast<float>(bits & 1023) / 1024, static_cast<int>(bits >> 10 & 63) - 40);
      channel = bits >> 30 == 0   ? corners[(bits & 0xffff) % std::size(corners)]
                : bits >> 30 == 1 ? std::bit_cast<float>(static_cast<uint32_t>(random()))
                                  : near;
    }
    uint32_t word = 0;
    encode(format.layout,
           {std::bit_cast<uint32_t>(rgb[0]), std::bit_cast<uint32_t>(rgb[1]), std::bit_cast<uint32_t>(rgb[2]), 7},
           reinterpret_cast<std::byte*>(&word));
    ASSERT_EQ(word, reference::shared_exponent_of(rgb)) << rgb[0] << " " << rgb[1] << " " << rgb[2];
  }
}

TEST(Codec, IntegersOf64BitsAreTwoHalves) {
  for (const uint32_t vk : {110u, 111u}) {
    const Format& format = *find_format(vk);
    const uint64_t number = 0xfedcba9876543210u;
    const Texel texel = decode(format.layout, reinterpret_cast<const std::byte*>(&number));
    EXPECT_EQ(texel, (Texel{0x76543210u, 0xfedcba98u, 0, 0}));
    uint64_t again = 0;
    encode(format.layout, texel, reinterpret_cast<std::byte*>(&again));
    EXPECT_EQ(again, number);
  }
}

TEST(Codec, RowsAreTexels) {
  std::mt19937 random(4);
  for (const Format* format : plain_formats()) {
    constexpr size_t kCount = 37;
    const size_t bytes = format->shape().bytes;
    std::vector<std::byte> memory(kCount * bytes), again(kCount * bytes), rows(kCount * bytes);
    for (std::byte& byte : memory) byte = static_cast<std::byte>(random());
    const Codec& codec = codec_of(format->layout);
    std::array<Texel, kCount> texels;
    codec.decode_row(memory.data(), kCount, texels.data());
    codec.encode_row(texels.data(), kCount, rows.data());
    for (size_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(texels[i], decode(format->layout, &memory[i * bytes])) << format->name;
      encode(format->layout, texels[i], &again[i * bytes]);
    }
    ASSERT_EQ(again, rows) << format->name;
  }
}

TEST(Codec, WhatNoFormatHasIsNothing) {
  const std::array<std::byte, 16> ones = [] {
    std::array<std::byte, 16> bytes;
    bytes.fill(std::byte{0xff});
    return bytes;
  }();
  for (const Layout layout : {Layout{Shape::s5_9_9_9, Number::unorm}, Layout{Shape::s16, Number::srgb},
                              Layout{Shape::s8, Number::floating}, Layout{Shape::bc7, Number::unorm}}) {
    EXPECT_EQ(decode(layout, ones.data()), Texel{});
    std::array<std::byte, 16> bytes = ones;
    encode(layout, {1, 2, 3, 4}, bytes.data());
    EXPECT_EQ(bytes, ones);
  }
}

TEST(Swizzle, SelectsChannelsAndConstants) {
  const Texel channels = {10, 20, 30, 40};
  const Swizzle swizzle = {Select::w, Select::zero, Select::one, Select::y};
  EXPECT_EQ(swizzled(channels, swizzle, Number::uint), (Texel{40, 0, 1, 20}));
  EXPECT_EQ(swizzled(channels, swizzle, Number::unorm), (Texel{40, 0, 0x3f800000u, 20}));
}

TEST(Swizzle, TheFirstComponentThatSelectsAChannelIsStored) {
  const Swizzle zyxw = {Select::z, Select::y, Select::x, Select::w};
  EXPECT_EQ(unswizzled({1, 2, 3, 4}, zyxw), (Texel{3, 2, 1, 4}));
  const Swizzle xx1 = {Select::x, Select::x, Select::one, Select::zero};
  EXPECT_EQ(unswizzled({1, 2, 3, 4}, xx1), (Texel{1, 0, 0, 0}));
}

TEST(Swizzle, StoringUndoesLoading) {
  for (const Format& format : formats()) {
    Texel channels{};
    for (const Select select : format.swizzle) {
      if (select >= Select::x) channels[static_cast<size_t>(select) - 2] = 100 + static_cast<uint32_t>(select);
    }
    EXPECT_EQ(unswizzled(swizzled(channels, format.swizzle, format.layout.number), format.swizzle), channels)
        << format.name;
  }
}

}  // namespace
}  // namespace spalt::texel
