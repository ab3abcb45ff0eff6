// SPDX-License-Identifier: MIT
#include "amdgpu/abi/export_format.h"

#include <gtest/gtest.h>
#include <vulkan/vulkan_core.h>

namespace spalt::abi {
namespace {

ExportFormat choose(VkFormat format, bool blend = false, bool alpha = false) {
  ColorTarget target;
  target.format = format;
  target.blend = blend;
  return choose_color_export(target, alpha).format;
}

// What Mesa (ac_choose_spi_color_formats) and LLPC choose, without the formats that save bandwidth.
TEST(ExportFormat, UpToTenBitsGoAsHalves) {
  for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8_SNORM,
                          VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                          VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R16_SFLOAT}) {
    EXPECT_EQ(choose(format), ExportFormat::fp16) << format;
    EXPECT_EQ(choose(format, true, true), ExportFormat::fp16) << format;
  }
}

TEST(ExportFormat, SmallIntegersAreClampedToSixteenBits) {
  EXPECT_EQ(choose(VK_FORMAT_R8G8B8A8_UINT), ExportFormat::uint16);
  EXPECT_EQ(choose(VK_FORMAT_R16_UINT), ExportFormat::uint16);
  EXPECT_EQ(choose(VK_FORMAT_R16G16_SINT), ExportFormat::sint16);
  EXPECT_EQ(choose(VK_FORMAT_A2B10G10R10_UINT_PACK32), ExportFormat::uint16);
}

TEST(ExportFormat, BlendedChannelsOfSixteenBitsGoAsFloats) {
  EXPECT_EQ(choose(VK_FORMAT_R16G16B16A16_UNORM), ExportFormat::unorm16);
  EXPECT_EQ(choose(VK_FORMAT_R16_SNORM), ExportFormat::snorm16);
  EXPECT_EQ(choose(VK_FORMAT_R16_UNORM, true), ExportFormat::r32);
  EXPECT_EQ(choose(VK_FORMAT_R16_UNORM, true, true), ExportFormat::ar32);
  EXPECT_EQ(choose(VK_FORMAT_R16G16_UNORM, true), ExportFormat::gr32);
  EXPECT_EQ(choose(VK_FORMAT_R16G16_SNORM, true, true), ExportFormat::abgr32);
  EXPECT_EQ(choose(VK_FORMAT_R16G16B16A16_SNORM, true), ExportFormat::abgr32);
}

TEST(ExportFormat, DwordsGoAsTheyAre) {
  EXPECT_EQ(choose(VK_FORMAT_R32_SFLOAT), ExportFormat::r32);
  EXPECT_EQ(choose(VK_FORMAT_R32_SFLOAT, true, true), ExportFormat::ar32);
  EXPECT_EQ(choose(VK_FORMAT_R32G32_UINT), ExportFormat::gr32);
  EXPECT_EQ(choose(VK_FORMAT_R32G32_SFLOAT, true, true), ExportFormat::abgr32);
  EXPECT_EQ(choose(VK_FORMAT_R32G32B32A32_SINT), ExportFormat::abgr32);
}

TEST(ExportFormat, NothingGoesWhereNothingIs) {
  EXPECT_EQ(choose(VK_FORMAT_UNDEFINED), ExportFormat::none);
  EXPECT_EQ(choose(VK_FORMAT_UNDEFINED, false, true), ExportFormat::ar32);  // alpha to coverage wants alpha
  EXPECT_EQ(choose(VK_FORMAT_D32_SFLOAT), ExportFormat::none);
  EXPECT_EQ(choose(VK_FORMAT_BC1_RGB_UNORM_BLOCK), ExportFormat::none);
  EXPECT_EQ(choose(VK_FORMAT_R64_UINT), ExportFormat::none);
  EXPECT_EQ(choose(static_cast<VkFormat>(0x7fffffff)), ExportFormat::none);
}

uint8_t wanted(VkFormat format, uint8_t write_mask = 0xf, bool alpha = false) {
  GraphicsState state;
  state.targets[1].format = format;
  state.targets[1].write_mask = write_mask;
  state.targets[1].blend_reads_alpha = alpha;
  return wanted_channels(state, 1);
}

TEST(ExportFormat, ChannelsThatHaveAnEffect) {
  EXPECT_EQ(wanted(VK_FORMAT_R8G8B8A8_UNORM), 0xf);
  EXPECT_EQ(wanted(VK_FORMAT_R8G8B8A8_UNORM, 5), 5);
  EXPECT_EQ(wanted(VK_FORMAT_B8G8R8A8_UNORM, 1), 1);
  EXPECT_EQ(wanted(VK_FORMAT_R8_UINT), 1);
  EXPECT_EQ(wanted(VK_FORMAT_R16G16_SFLOAT), 3);
  EXPECT_EQ(wanted(VK_FORMAT_R16G16_SFLOAT, 0xe), 2);
  EXPECT_EQ(wanted(VK_FORMAT_B5G6R5_UNORM_PACK16), 7);
  EXPECT_EQ(wanted(VK_FORMAT_B10G11R11_UFLOAT_PACK32), 7);
  constexpr auto kA8Unorm = static_cast<VkFormat>(1000470001);  // not in older headers
  EXPECT_EQ(wanted(kA8Unorm), 8);
  EXPECT_EQ(wanted(VK_FORMAT_UNDEFINED), 0);
  EXPECT_EQ(wanted(VK_FORMAT_R8_UNORM, 0xf, true), 9);
  EXPECT_EQ(wanted(VK_FORMAT_R8_UNORM, 0, true), 8);
  EXPECT_EQ(wanted(VK_FORMAT_BC1_RGB_UNORM_BLOCK), 0xf);
}

TEST(ExportFormat, AlphaToCoverageReadsTheFirstAlpha) {
  GraphicsState state;
  state.alpha_to_coverage = true;
  EXPECT_EQ(wanted_channels(state, 0), 8);
  EXPECT_EQ(wanted_channels(state, 1), 0);
}

TEST(ExportFormat, ChannelsOfTheShaderMask) {
  EXPECT_EQ(export_mask(ExportFormat::none), 0);
  EXPECT_EQ(export_mask(ExportFormat::r32), 1);
  EXPECT_EQ(export_mask(ExportFormat::gr32), 3);
  EXPECT_EQ(export_mask(ExportFormat::ar32), 9);
  EXPECT_EQ(export_mask(ExportFormat::fp16), 0xf);
}

}  // namespace
}  // namespace spalt::abi
