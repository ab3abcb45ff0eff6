// SPDX-License-Identifier: MIT
// Descriptors word by word. The expected words are put together here from the bits of the documents, field by field,
// not from the table that the writers use.
#include <gtest/gtest.h>

#include "amdgpu/abi/buffer_descriptor.h"
#include "amdgpu/abi/descriptor_text.h"
#include "amdgpu/abi/image_descriptor.h"
#include "amdgpu/abi/image_format.h"
#include "amdgpu/abi/sampler_descriptor.h"

namespace spalt::abi {
namespace {

constexpr uint32_t kRgba8 = 37, kBgra8 = 44, kR32Float = 100, kBc1 = 133, kR32G32Uint = 101, kR64 = 110, kD24 = 125,
                   kR8Srgb = 15;
constexpr const char* kTargets[] = {"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};

const isa::Target& target(const char* name) {
  return *isa::find_target(name);
}

ImageView view_2d(uint32_t format, uint32_t width, uint32_t height, uint32_t levels = 1, uint32_t layers = 1) {
  ImageView view;
  view.image.format = view.format = texel::find_format(format);
  view.image.width = width;
  view.image.height = height;
  view.image.levels = view.level_count = levels;
  view.image.layers = layers;
  view.address = 0x1234567800;
  return view;
}

ImageWords words_on(const char* name, const ImageView& view) {
  ImageWords words{};
  EXPECT_EQ(write_image_descriptor(view, target(name), words), Status::ok) << name;
  return words;
}

// 100 x 50 of RGBA8, levels 1 and 2 of 3; address >> 8 is 0x12345678.
TEST(ImageDescriptor, LevelsOfA2DImage) {
  ImageView view = view_2d(kRgba8, 100, 50, 3);
  view.first_level = 1;
  view.level_count = 2;
  constexpr uint32_t kXyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9, k2D = 9u << 28;
  const ImageWords gfx9 = {0x12345678, 10u << 20, 99 | 49 << 14, kXyzw | 1 << 12 | 2 << 16 | k2D, 87u << 13, 2u << 28,
                           0,          0};
  const ImageWords gfx10 = {
      0x12345678, 56u << 20 | 3u << 30, 99 >> 2 | 49 << 14 | 1u << 31, kXyzw | 1 << 12 | 2 << 16 | k2D, 0, 2u << 4, 0,
      0};
  const ImageWords gfx11 = {
      0x12345678, 42u << 20 | 3u << 30 | 2u << 16, 99 >> 2 | 49 << 14, kXyzw | 1 << 12 | 2 << 16 | k2D, 0, 0, 0, 0};
  const ImageWords gfx12 = {
      0x12345678, 2u << 12 | 42u << 17 | 1u << 25 | 3u << 30, 99 >> 2 | 49 << 14, kXyzw | 2 << 15 | k2D, 0, 0, 0, 0};
  EXPECT_EQ(words_on("gfx900", view), gfx9);
  EXPECT_EQ(words_on("gfx1010", view), gfx10);
  EXPECT_EQ(words_on("gfx1030", view), gfx10);
  EXPECT_EQ(words_on("gfx1100", view), gfx11);
  EXPECT_EQ(words_on("gfx1150", view), gfx11);
  EXPECT_EQ(words_on("gfx1200", view), gfx12);
}

TEST(ImageDescriptor, LayersOfAnArray) {
  ImageView view = view_2d(kRgba8, 16, 16, 1, 12);
  view.type = ViewType::dim_2d_array;
  view.first_layer = 3;
  view.layer_count = 5;
  for (const char* name : kTargets) {
    SCOPED_TRACE(name);
    const ImageWords words = words_on(name, view);
    EXPECT_EQ(words[3] >> 28, 13u);
    EXPECT_EQ(words[4] & 0x1fff, 7u);  // last layer
    EXPECT_EQ(name == kTargets[0] ? words[5] & 0x1fff : words[4] >> 16 & 0x1fff, 3u);
  }
  // One layer of several is an array to the hardware.
  view.type = ViewType::dim_2d;
  view.layer_count = 1;
  EXPECT_EQ(words_on("gfx1100", view)[3] >> 28, 13u);
}

TEST(ImageDescriptor, CubesAreArraysOfFacesForStorage) {
  ImageView view = view_2d(kRgba8, 16, 16, 1, 12);
  view.type = ViewType::cube_array;
  view.layer_count = 12;
  for (const char* name : kTargets) {
    view.storage = false;
    EXPECT_EQ(words_on(name, view)[3] >> 28, 11u);
    view.storage = true;
    EXPECT_EQ(words_on(name, view)[3] >> 28, 13u);
    EXPECT_EQ(words_on(name, view)[4] & 0x1fff, 11u);
  }
}

TEST(ImageDescriptor, SlicesOf3DImages) {
  ImageView view = view_2d(kRgba8, 16, 16);
  view.image.dimensions = 3;
  view.image.depth = 9;
  view.type = ViewType::dim_3d;
  for (const char* name : kTargets) {
    EXPECT_EQ(words_on(name, view)[3] >> 28, 10u);
    EXPECT_EQ(words_on(name, view)[4] & 0x1fff, 8u);
  }
  view.type = ViewType::dim_2d;
  view.storage = true;
  view.first_layer = 4;
  EXPECT_EQ(words_on("gfx1030", view)[4], 4u << 16 | 4u);
  EXPECT_EQ(words_on("gfx1030", view)[5] & 0xf, 1u);
  EXPECT_EQ(words_on("gfx1200", view)[5] & 0x1f, 0x10u);
}

// A view of a slice is an image of its own there, at the address of the slice.
TEST(ImageDescriptor, SlicesHaveAddressesOnGfx9) {
  ImageView view = view_2d(kRgba8, 100, 50);
  view.image.dimensions = 3;
  view.image.depth = 9;
  view.image.levels = 3;
  view.first_level = 1;
  view.first_layer = 2;
  view.min_lod = 1.5F;
  const ImageLayout layout = image_layout(view.image, *isa::find_target("gfx900"));
  const ImageWords words = words_on("gfx900", view);
  EXPECT_EQ(words[0], (view.address + layout.levels[1].offset + 2 * layout.slice_bytes) / kImageAlignment);
  EXPECT_EQ(words[3] >> 28, 9u);
  EXPECT_EQ(words[2] & 0x3fff, 49u);
  EXPECT_EQ(words[2] >> 14 & 0x3fff, 24u);
  EXPECT_EQ(words[4] >> 13 & 0xffff, 127u);  // a row of level 0 has 128 texels, and so have all levels
  EXPECT_EQ(words[4] & 0x1fff, 0u);
  EXPECT_EQ(words[1] >> 8 & 0xfff, 0x80u);  // half a level below the one that is shown
}

TEST(ImageDescriptor, OneDimensionIsTwoOnGfx9) {
  ImageView view = view_2d(kR32Float, 16, 1);
  view.image.dimensions = 1;
  view.type = ViewType::dim_1d;
  EXPECT_EQ(words_on("gfx900", view)[3] >> 28, 9u);
  EXPECT_EQ(words_on("gfx1010", view)[3] >> 28, 8u);
}

TEST(ImageDescriptor, SamplesAreLevels) {
  ImageView view = view_2d(kRgba8, 16, 16);
  view.image.samples = 8;
  const ImageWords words = words_on("gfx1030", view);
  EXPECT_EQ(words[3] >> 28, 14u);
  EXPECT_EQ(words[3] >> 16 & 0xf, 3u);
  EXPECT_EQ(words[5] >> 4 & 0xf, 3u);
}

TEST(ImageDescriptor, SwizzlesCompose) {
  ImageView view = view_2d(kBgra8, 16, 16);
  using enum texel::Select;
  view.swizzle = {y, x, one, zero};  // G, R, 1, 0 of a format whose memory is B, G, R, A
  const ImageWords words = words_on("gfx1030", view);
  EXPECT_EQ(words[3] & 0xfff, 5u | 6u << 3 | 1u << 6 | 0u << 9);
  EXPECT_EQ(words[3] >> 25 & 7, 4u);  // border order ZYXW
}

TEST(ImageDescriptor, MinLodHasEightFractionBits) {
  ImageView view = view_2d(kRgba8, 16, 16, 5);
  view.min_lod = 2.5F;
  EXPECT_EQ(words_on("gfx900", view)[1] >> 8 & 0xfff, 640u);
  EXPECT_EQ(words_on("gfx1030", view)[1] >> 8 & 0xfff, 640u);
  const ImageWords gfx11 = words_on("gfx1100", view), gfx12 = words_on("gfx1200", view);
  EXPECT_EQ(gfx11[5] >> 27 | (gfx11[6] & 0x7f) << 5, 640u);
  EXPECT_EQ(gfx12[5] >> 26 | (gfx12[6] & 0x7f) << 6, 640u);
}

TEST(ImageDescriptor, BlocksAsTexels) {
  ImageView view = view_2d(kBc1, 100, 52, 3);  // 25 x 13 blocks
  view.format = texel::find_format(kR32G32Uint);
  view.first_level = 1;
  view.level_count = 1;
  const ImageWords words =
      words_on("gfx1030", view);  // 50 x 26 texels: 13 x 7 blocks; levels of 7 and 4 rows of 256 bytes
  EXPECT_EQ(words[0], 0x12345678u + 4);
  EXPECT_EQ((words[1] >> 30 | (words[2] & 0xfff) << 2) + 1, 13u);
  EXPECT_EQ((words[2] >> 14 & 0x3fff) + 1, 7u);
  EXPECT_EQ(words[5] >> 4 & 0xf, 0u);
}

// 257 blocks of 8 bytes are 1025 texels: level 1 has 512 texels, 128 blocks, and 129 blocks in memory.
TEST(ImageDescriptor, RowsOfABlockViewAreThoseOfTheLevel) {
  ImageView view = view_2d(kBc1, 1025, 16, 2);
  view.format = texel::find_format(kR32G32Uint);
  view.first_level = 1;
  view.level_count = 1;
  const auto width = [](const ImageWords& words) { return (words[1] >> 30 | (words[2] & 0xfff) << 2) + 1; };
  // GFX9: all levels have the rows of level 0, 257 blocks, rounded up to 288.
  EXPECT_EQ((words_on("gfx900", view)[2] & 0x3fff) + 1, 128u);
  EXPECT_EQ((words_on("gfx900", view)[4] >> 13 & 0xffff) + 1, 288u);
  // GFX10: the pitch, 160, follows from the width alone, so that the column in memory is visible.
  EXPECT_EQ(width(words_on("gfx1010", view)), 129u);
  EXPECT_EQ(words_on("gfx1010", view)[4], 0u);
  EXPECT_EQ(width(words_on("gfx1030", view)), 128u);
  EXPECT_EQ((words_on("gfx1030", view)[4] & 0x3fff) + 1, 160u);
  EXPECT_EQ((words_on("gfx1200", view)[4] & 0xffff) + 1, 144u);  // rows of multiples of 128 bytes
}

TEST(ImageDescriptor, ViewsThatDoNotExist) {
  const auto status = [](const ImageView& view) {
    ImageWords words{};
    return write_image_descriptor(view, target("gfx1030"), words);
  };
  ImageView good = view_2d(kRgba8, 16, 16, 3, 6), bad = good;
  EXPECT_EQ(status(good), Status::ok);
  bad.first_level = 3;
  EXPECT_EQ(status(bad), Status::invalid_argument);
  bad = good;
  bad.level_count = 0xffffffff;
  bad.first_level = 1;
  EXPECT_EQ(status(bad), Status::invalid_argument);
  bad = good;
  bad.layer_count = 2;  // not an array
  EXPECT_EQ(status(bad), Status::invalid_argument);
  bad = good;
  bad.address += 64;
  EXPECT_EQ(status(bad), Status::invalid_argument);
  bad = good;
  bad.format = texel::find_format(kR32G32Uint);
  EXPECT_EQ(status(bad), Status::invalid_argument);
  bad = good;
  bad.type = ViewType::dim_3d;
  EXPECT_EQ(status(bad), Status::invalid_argument);
  bad = good;
  bad.image.format = bad.format = texel::find_format(kR8Srgb + 1000000);
  EXPECT_EQ(status(bad), Status::invalid_argument);
}

TEST(ImageFormat, EachLayoutOfAFormatIsFoundAgain) {
  for (const char* name : kTargets) {
    size_t found = 0;
    for (const texel::Format& format : texel::formats()) {
      const auto code = image_format_code(format.layout, target(name));
      if (!code) continue;
      ++found;
      EXPECT_EQ(*image_format_layout(*code, target(name)), format.layout) << format.name;
      EXPECT_LE(*code, image_fields(target(name)).format.max());
    }
    EXPECT_GT(found, 100u);
    EXPECT_EQ(image_format_layout(0xffff, target(name)), nullptr);
  }
}

TEST(ImageFormat, Uses) {
  const auto uses = [](uint32_t format) { return format_uses(*texel::find_format(format), target("gfx1030")); };
  EXPECT_EQ(uses(kBc1), kUseSampled | kUseLinearFilter);
  EXPECT_EQ(uses(kD24), kUseSampled | kUseLinearFilter | kUseDepthCompare);
  EXPECT_EQ(uses(98), kUseSampled | kUseStorage | kUseStorageAtomic | kUseTexelBuffer | kUseStorageTexelBuffer |
                          kUseTexelBufferAtomic);
  EXPECT_EQ(uses(kR64) & kUseSampled, 0u);
  EXPECT_EQ(uses(kBgra8) & kUseStorage, 0u);
  EXPECT_EQ(uses(23), 0u);  // R8G8B8_UNORM
  constexpr uint32_t kA2B10G10R10Uint = 68, kA2B10G10R10Sint = 69;
  EXPECT_NE(uses(kA2B10G10R10Uint) & kUseStorage, 0u);
  EXPECT_EQ(uses(kA2B10G10R10Sint) & kUseStorage, 0u);
}

TEST(SamplerDescriptor, FiltersAndModes) {
  Sampler sampler;
  sampler.mag_linear = sampler.mip_linear = true;
  sampler.clamp[0] = ClampMode::border;
  sampler.clamp[2] = ClampMode::mirror;
  sampler.compare = 3;
  sampler.min_lod = 1.5F;
  sampler.max_lod = 1000;
  sampler.lod_bias = -0.5F;
  sampler.border = BorderColor::palette;
  sampler.palette_index = 0xabc;
  // A bias of -0.5 is -128 in 14 bits.
  constexpr uint32_t kModes = 6 | 1 << 6 | 3 << 12, kFilters = 0x3f80 | 1 << 20 | 2 << 26, kBorder = 3u << 30;
  const SamplerWords gfx9 = {kModes | 1u << 31, 384 | 3840 << 12, kFilters | 1 << 30, kBorder | 0xabc};
  const SamplerWords gfx10 = {kModes, 384 | 3840 << 12, kFilters, kBorder | 0xabc};
  // From GFX11 on truncation concerns nearest filters only and is always on; the palette index moves.
  const SamplerWords gfx11 = {kModes | 1 << 27, 384 | 3840 << 12, kFilters, kBorder | 0xabcu << 18};
  const SamplerWords gfx12 = {kModes | 1 << 27, 384 | 4352 << 13, kFilters, kBorder | 0xabcu << 18};
  EXPECT_EQ(write_sampler_descriptor(sampler, target("gfx900")), gfx9);
  EXPECT_EQ(write_sampler_descriptor(sampler, target("gfx1010")), gfx10);
  EXPECT_EQ(write_sampler_descriptor(sampler, target("gfx1030")), gfx10);
  EXPECT_EQ(write_sampler_descriptor(sampler, target("gfx1100")), gfx11);
  EXPECT_EQ(write_sampler_descriptor(sampler, target("gfx1150")), gfx11);
  EXPECT_EQ(write_sampler_descriptor(sampler, target("gfx1200")), gfx12);
}

TEST(SamplerDescriptor, NearestTruncatesAndAnisotropyIsInBothFilters) {
  Sampler sampler;
  EXPECT_EQ(write_sampler_descriptor(sampler, target("gfx900"))[0] >> 27 & 1, 1u);
  sampler.max_anisotropy = 12;  // 8 is the largest power of two below
  const SamplerWords words = write_sampler_descriptor(sampler, target("gfx1030"));
  EXPECT_EQ(words[0] >> 9 & 7, 3u);
  EXPECT_EQ(words[0] >> 16 & 7, 1u);
  EXPECT_EQ(words[0] >> 21 & 0x3f, 3u);
  EXPECT_EQ(words[1] >> 24 & 0xf, 9u);
  EXPECT_EQ(words[2] >> 20 & 0xf, 2u | 2u << 2);
}

TEST(SamplerDescriptor, NumbersThatAreNone) {
  Sampler sampler;
  sampler.lod_bias = sampler.min_lod = sampler.max_lod = sampler.max_anisotropy =
      std::numeric_limits<float>::quiet_NaN();
  const SamplerWords words = write_sampler_descriptor(sampler, target("gfx1030"));
  EXPECT_EQ(words[1], 0u);
  EXPECT_EQ(words[2] & 0x3fff, 0u);
}

TEST(TypedBufferDescriptor, StrideFormatAndTexels) {
  const texel::Format& rg32 = *texel::find_format(kR32G32Uint);
  constexpr uint32_t kXy01 = 4 | 5 << 3 | 0 << 6 | 1 << 9;
  using Words = std::array<uint32_t, 4>;
  const auto words = [&](const char* name) { return typed_buffer_descriptor(0x123456789abc, 83, rg32, target(name)); };
  const uint32_t stride = 8u << 16 | 0x1234;
  EXPECT_EQ(words("gfx900"), (Words{0x56789abc, stride, 10, kXy01 | 4 << 12 | 11 << 15}));
  EXPECT_EQ(words("gfx1010"), (Words{0x56789abc, stride, 10, kXy01 | 62 << 12 | 1 << 24}));
  EXPECT_EQ(words("gfx1030"), (Words{0x56789abc, stride, 10, kXy01 | 62 << 12 | 1 << 24}));
  EXPECT_EQ(words("gfx1100"), (Words{0x56789abc, stride, 10, kXy01 | 48 << 12}));
  EXPECT_EQ(words("gfx1200"), (Words{0x56789abc, stride, 10, kXy01 | 48 << 12}));
  EXPECT_EQ(typed_buffer_descriptor(0x1000, 7, rg32, target("gfx1030")), Words{});
  EXPECT_EQ(typed_buffer_descriptor(0x1000, 64, *texel::find_format(kBc1), target("gfx1030")), std::nullopt);
}

TEST(DescriptorText, NamesFieldsAndReservedValues) {
  const ImageView view = view_2d(kRgba8, 100, 50, 3);
  const std::string text = image_descriptor_text(words_on("gfx1100", view), target("gfx1100"));
  EXPECT_NE(text.find("address             0x1234567800\n"), std::string::npos) << text;
  EXPECT_NE(text.find("type                9 2d\n"), std::string::npos) << text;
  EXPECT_NE(text.find("format              42 8_8_8_8 unorm\n"), std::string::npos) << text;
  EXPECT_NE(text.find("width               100\n"), std::string::npos) << text;
  EXPECT_NE(text.find("select              xyzw\n"), std::string::npos) << text;
  const ImageWords junk{~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
  for (const char* name : kTargets) EXPECT_FALSE(image_descriptor_text(junk, target(name)).empty());
  const SamplerWords sampler_junk{~0u, ~0u, ~0u, ~0u};
  for (const char* name : kTargets) {
    EXPECT_NE(sampler_descriptor_text(sampler_junk, target(name)).find("reserved"), std::string::npos);
    EXPECT_FALSE(buffer_descriptor_text(sampler_junk, target(name)).empty());
  }
}

}  // namespace
}  // namespace spalt::abi
