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
  explicit Buffer(uint32_t stride) : stride_(stride) {
    for (size_t i = 0; i < sizeof bytes_; ++i) bytes_[i] = static_cast<uint8_t>(i * 37 + 11);
  }

  const std::byte* at(uint32_t element, uint32_t offset) const {
    return reinterpret_cast<const std::byte*>(bytes_ + element * stride_ + offset);
  }
  /// Checks what the hardware asks of the load, and appends its channels.
  void load(const VertexFetch& fetch, const isa::Target& target, texel::Texel& channels) const {
    const std::byte* from = at(fetch.next, fetch.offset);
    if (fetch.format == 0) {
      EXPECT_EQ(fetch.offset % 4, 0u);
      if (stride_ != 0) {
        EXPECT_LE(fetch.offset + 4u * fetch.channels, stride_);
      }
      std::memcpy(&channels[fetch.first], from, 4u * fetch.channels);
      return;
    }
    const isa::BufferFormat* format = isa::buffer_format(target.generation, fetch.format);
    ASSERT_NE(format, nullptr);
    ASSERT_LE(fetch.channels, format->channels);
    if (stride_ != 0) {
      EXPECT_LE(fetch.offset + format->bytes, stride_);
    }
    const unsigned alignment = target.typed_loads_align ? format->bytes : std::min<unsigned>(format->bytes, 4);
    EXPECT_EQ((fetch.offset | stride_) % alignment, 0u);
    uint64_t element = 0;
    std::memcpy(&element, from, format->bytes);
    for (unsigned i = 0; i < fetch.channels; ++i) channels[fetch.first + i] = convert(*format, i, element);
  }

 private:
  uint32_t stride_;
  uint8_t bytes_[64 * (kElements + 4)];
};

bool is_mandatory_shape(const texel::Format& format) {
  const unsigned bits = format.shape().bits[0];
  return format.aspects == texel::kColor && !format.shape().is_compressed() &&
         format.layout.number != texel::Number::srgb && (bits == 8 || bits == 16 || bits == 32) &&
         format.shape().name != std::string_view("s8_24");
}

/// Every format of whole bytes, at each alignment that Vulkan allows: the channels are those of the texel codec.
TEST(VertexFormat, LoadsBringTheTexel) {
  for (const char* name : kTargets) {
    const isa::Target& target = *isa::find_target(name);
    unsigned tested = 0;
    for (const texel::Format& format : texel::formats()) {
      if (!is_mandatory_shape(format)) continue;
      const uint32_t component = format.shape().bits[0] / 8;
      for (uint32_t stride = format.shape().bytes; stride < format.shape().bytes + 8u; stride += component) {
        for (uint32_t offset = 0; offset + format.shape().bytes <= 40; offset += component) {
          const VertexAttribute attribute{.format = format.vk, .offset = offset, .stride = stride};
          const std::optional<VertexLoads> loads = vertex_loads(attribute, 0xf, target);
          ASSERT_TRUE(loads) << format.name;
          const Buffer buffer(stride);
          texel::Texel channels{};
          for (const VertexFetch& fetch : loads->fetches) buffer.load(fetch, target, channels);
          const texel::Texel expected = texel::decode(format.layout, buffer.at(0, offset));
          EXPECT_EQ(channels, expected) << name << " " << format.name << " stride " << stride << " offset " << offset;
          ++tested;
        }
      }
    }
    EXPECT_GT(tested, 1000u);
  }
}

TEST(VertexFormat, OnlyWhatIsReadIsLoaded) {
  const isa::Target& target = *isa::find_target("gfx1030");
  const VertexAttribute floats{.format = 109, .stride = 16};
  EXPECT_EQ(vertex_loads(floats, 0x2, target)->fetches[0].channels, 2);
  EXPECT_TRUE(vertex_loads({.format = 106, .stride = 12}, 0x8, target)->fetches.empty());
  const VertexAttribute bgra{.format = 44, .stride = 4};
  EXPECT_EQ(vertex_loads(bgra, 0x1, target)->fetches[0].channels, 3);  // red is the third byte
  EXPECT_EQ(vertex_loads(bgra, 0x4, target)->fetches[0].channels, 1);
}

TEST(VertexFormat, PackedFormatsAreOneLoad) {
  for (const char* name : kTargets) {
    for (const uint32_t format : {58u, 59u, 60u, 61u, 62u, 63u, 64u, 65u, 66u, 67u, 68u, 69u, 122u}) {
      const auto loads = vertex_loads({.format = format, .offset = 4, .stride = 8}, 0xf, *isa::find_target(name));
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
    EXPECT_FALSE(vertex_loads({.format = format, .stride = 16}, 0xf, target)) << format;
  }
  EXPECT_FALSE(vertex_loads({.format = 109, .offset = 4096, .stride = 8192}, 0xf, target));
  EXPECT_FALSE(vertex_loads({.format = 109, .offset = 0xffffffff, .stride = 16}, 0xf, target));
}

}  // namespace
}  // namespace spalt::abi
