// SPDX-License-Identifier: MIT
#include "amdgpu/abi/vertex_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "amdgpu/isa/text/buffer_format.h"
#include "texel/codec.h"

namespace spalt::abi {
namespace {

constexpr const char* kTargets[] = {"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
constexpr uint32_t kElements = 4;

/// What one channel of a typed load is, by the texel codec: a format of one channel with these bits.
uint32_t convert(const isa::BufferFormat& format, unsigned channel, uint64_t element) {
  const auto raw =
      static_cast<uint32_t>(element >> format.offset[channel] & ((uint64_t{1} << format.bits[channel]) - 1));
  static constexpr texel::Number kNumbers[] = {texel::Number::unorm,   texel::Number::snorm,   texel::Number::uscaled,
                                               texel::Number::sscaled, texel::Number::uint,    texel::Number::sint,
                                               texel::Number::unorm,   texel::Number::floating};
  std::byte bytes[2];
  std::memcpy(bytes, &raw, sizeof bytes);
  const texel::Layout layout{format.bits[channel] == 8 ? texel::Shape::s8 : texel::Shape::s16,
                             kNumbers[static_cast<size_t>(format.number)]};
  return texel::decode(layout, bytes)[0];
}

/// A buffer of elements and what the loads of an attribute bring from it.
class Buffer {
 public:
  /// `base`: where the buffer begins, from a multiple of 16 bytes on.
  Buffer(uint32_t stride, uint32_t base) : stride_(stride), base_(base) {
    for (size_t i = 0; i < sizeof bytes_; ++i) bytes_[i] = static_cast<uint8_t>(i * 37 + 11);
  }

  const std::byte* at(uint32_t element, uint32_t offset) const {
    return reinterpret_cast<const std::byte*>(bytes_ + element * stride_ + offset);
  }
  /// Checks what the hardware asks of the load, and appends its channels.
  void load(const VertexFetch& fetch, const isa::Target& target, texel::Texel& channels) const {
    const std::byte* from = at(fetch.next, fetch.offset);
    if (fetch.format == 0) {
      expect_aligned(fetch, 4);
      std::memcpy(&channels[fetch.first], from, 4u * fetch.channels);
      return;
    }
    const isa::BufferFormat* format = isa::buffer_format(target.generation, fetch.format);
    ASSERT_NE(format, nullptr);
    ASSERT_LE(fetch.channels, format->channels);
    const unsigned alignment = target.typed_loads_align ? format->bytes : std::min<unsigned>(format->bytes, 4);
    expect_aligned(fetch, alignment);
    uint64_t element = 0;
    std::memcpy(&element, from, format->bytes);
    for (unsigned i = 0; i < fetch.channels; ++i) channels[fetch.first + i] = convert(*format, i, element);
  }

 private:
  void expect_aligned(const VertexFetch& fetch, uint32_t alignment) const {
    for (uint32_t element = 0; element < kElements; ++element) {
      EXPECT_EQ((base_ + (element + fetch.next) * stride_ + fetch.offset) % alignment, 0u);
    }
  }

  uint32_t stride_, base_;
  uint8_t bytes_[64 * (kElements + 4)];
};

bool is_mandatory_shape(const texel::Format& format) {
  const unsigned bits = format.shape().bits[0];
  return format.aspects == texel::kColor && !format.shape().is_compressed() &&
         format.layout.number != texel::Number::srgb && (bits == 8 || bits == 16 || bits == 32) &&
         format.shape().name != std::string_view("s8_24");
}

/// Every format of whole bytes, at each alignment that Vulkan allows, also of the buffer: the channels are those of the
/// texel codec.
TEST(VertexFormat, LoadsBringTheTexel) {
  for (const char* name : kTargets) {
    const isa::Target& target = *isa::find_target(name);
    unsigned tested = 0;
    for (const texel::Format& format : texel::formats()) {
      if (!is_mandatory_shape(format)) continue;
      const bool packed = std::string_view(format.name).find("PACK") != std::string_view::npos;
      const uint32_t component = packed ? format.shape().bytes : format.shape().bits[0] / 8u;
      for (uint32_t stride = format.shape().bytes; stride < format.shape().bytes + 8u; stride += component) {
        for (uint32_t offset = 0; offset + format.shape().bytes <= 40; offset += component) {
          GraphicsState state;
          state.attributes.push_back({.format = format.vk, .offset = offset, .stride = stride});
          const uint32_t alignment = element_alignment(state, 0, std::array<uint8_t, 1>{0xf});
          EXPECT_EQ(alignment, component) << format.name;
          const std::optional<VertexLoads> loads = vertex_loads(state.attributes[0], 0xf, alignment, target);
          ASSERT_TRUE(loads) << format.name;
          for (uint32_t base = 0; base < 4; base += alignment) {
            const Buffer buffer(stride, base);
            texel::Texel channels{};
            for (const VertexFetch& fetch : loads->fetches) {
              buffer.load(fetch, target, channels);
              // The check of the index is that of the element in which the attribute begins.
              EXPECT_EQ(fetch.next, offset / stride);
            }
            const texel::Texel expected = texel::decode(format.layout, buffer.at(0, offset));
            EXPECT_EQ(channels, expected)
                << name << " " << format.name << " stride " << stride << " offset " << offset << " base " << base;
            ++tested;
          }
        }
      }
    }
    EXPECT_GT(tested, 1000u);
  }
}

/// What one attribute needs holds for all of its binding, if the shader reads it and its own offset fits.
TEST(VertexFormat, AttributesTellTheAlignmentOfTheirBinding) {
  constexpr uint32_t kBytes = 37, kHalves = 77, kFloats = 106, kPacked = 64;  // RGBA8, RG16, RGB32, 2_10_10_10
  GraphicsState state;
  state.attributes = {{.location = 0, .format = kBytes, .offset = 12},
                      {.location = 1, .format = kFloats, .offset = 0},
                      {.location = 2, .binding = 1, .format = kHalves, .offset = 2},
                      {.location = 3, .binding = 2, .format = kPacked, .offset = 8},
                      {.location = 4, .binding = 3, .format = kPacked, .offset = 2},
                      {.location = 5, .binding = 3, .format = kHalves, .offset = 6}};
  std::array<uint8_t, 6> used = {1, 1, 1, 1, 1, 1};
  EXPECT_EQ(element_alignment(state, 0, used), 4u);
  EXPECT_EQ(element_alignment(state, 1, used), 2u);
  EXPECT_EQ(element_alignment(state, 2, used), 4u);
  EXPECT_EQ(element_alignment(state, 3, used), 2u);
  used[1] = 0;
  EXPECT_EQ(element_alignment(state, 0, used), 1u);
  const isa::Target& target = *isa::find_target("gfx1030");
  EXPECT_EQ(vertex_loads(state.attributes[0], 0xf, 4, target)->fetches.size(), 1u);
  EXPECT_EQ(vertex_loads(state.attributes[0], 0xf, 2, target)->fetches.size(), 2u);
  EXPECT_EQ(vertex_loads(state.attributes[0], 0xf, 1, target)->fetches.size(), 4u);
}

TEST(VertexFormat, WhatFormatsLack) {
  EXPECT_EQ(missing_components(9), 0xe);    // R8_UNORM
  EXPECT_EQ(missing_components(103), 0xc);  // R32G32_SFLOAT
  EXPECT_EQ(missing_components(106), 0x8);  // R32G32B32_SFLOAT
  EXPECT_EQ(missing_components(44), 0);     // B8G8R8A8_UNORM
  EXPECT_EQ(missing_components(30), 0x8);   // B8G8R8_UNORM
  EXPECT_EQ(missing_components(0), 0);
  EXPECT_EQ(missing_components(UINT32_MAX), 0);
}

TEST(VertexFormat, OnlyWhatIsReadIsLoaded) {
  const isa::Target& target = *isa::find_target("gfx1030");
  const VertexAttribute floats{.format = 109, .stride = 16};
  EXPECT_EQ(vertex_loads(floats, 0x2, 4, target)->fetches[0].channels, 2);
  EXPECT_TRUE(vertex_loads({.format = 106, .stride = 12}, 0x8, 4, target)->fetches.empty());
  const VertexAttribute bgra{.format = 44, .stride = 4};
  EXPECT_EQ(vertex_loads(bgra, 0x1, 4, target)->fetches[0].channels, 3);  // red is the third byte
  EXPECT_EQ(vertex_loads(bgra, 0x4, 4, target)->fetches[0].channels, 1);
}

TEST(VertexFormat, PackedFormatsAreOneLoad) {
  for (const char* name : kTargets) {
    for (const uint32_t format : {58u, 59u, 60u, 61u, 62u, 63u, 64u, 65u, 66u, 67u, 68u, 69u, 122u}) {
      const auto loads = vertex_loads({.format = format, .offset = 4, .stride = 8}, 0xf, 4, *isa::find_target(name));
      ASSERT_TRUE(loads) << format;
      ASSERT_EQ(loads->fetches.size(), 1u);
      const isa::BufferFormat* known = isa::buffer_format(isa::find_target(name)->generation, loads->fetches[0].format);
      ASSERT_NE(known, nullptr) << name << " " << format;
      EXPECT_EQ(known->bits[0], texel::find_format(format)->shape().bits[0]);
    }
  }
}

TEST(VertexFormat, NoFormatsOfAttributes) {
  const isa::Target& target = *isa::find_target("gfx1030");
  for (const uint32_t format : {0u, 15u, 43u, 124u, 131u, 147u, 0xffffffffu}) {  // sRGB, depth, compressed
    EXPECT_FALSE(vertex_loads({.format = format, .stride = 16}, 0xf, 4, target)) << format;
  }
  EXPECT_FALSE(vertex_loads({.format = 109, .offset = 4096, .stride = 8192}, 0xf, 4, target));
  EXPECT_FALSE(vertex_loads({.format = 109, .offset = 0xffffffff, .stride = 16}, 0xf, 4, target));
}

}  // namespace
}  // namespace spalt::abi
