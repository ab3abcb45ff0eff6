// SPDX-License-Identifier: MIT
// The table of formats against Vulkan's header and against what the names say.
#include "texel/format.h"

#include <gtest/gtest.h>
#include <vulkan/vulkan_core.h>

#include <set>
#include <string>

#include "reference.h"

// Older headers do not have these, newer ones have them under another name.
#ifndef VK_VERSION_1_4
#ifdef VK_KHR_maintenance5
#define VK_FORMAT_A1B5G5R5_UNORM_PACK16 VK_FORMAT_A1B5G5R5_UNORM_PACK16_KHR
#define VK_FORMAT_A8_UNORM VK_FORMAT_A8_UNORM_KHR
#else
#define VK_FORMAT_A1B5G5R5_UNORM_PACK16 1000470000
#define VK_FORMAT_A8_UNORM 1000470001
#endif
#endif

namespace spalt::texel {
namespace {

#define SPALT_FORMAT(vk, name, ...) static_assert(VK_FORMAT_##name == vk);
#include "texel/formats.def"
#undef SPALT_FORMAT

static_assert(int{kColor} == int{VK_IMAGE_ASPECT_COLOR_BIT});
static_assert(int{kDepth} == int{VK_IMAGE_ASPECT_DEPTH_BIT});
static_assert(int{kStencil} == int{VK_IMAGE_ASPECT_STENCIL_BIT});

TEST(Format, KnowsTheCoreFormatsButForThoseNobodyHas) {
  const std::set<uint32_t> unknown = {VK_FORMAT_UNDEFINED, VK_FORMAT_R8G8B8_SRGB, VK_FORMAT_B8G8R8_SRGB};
  for (uint32_t vk = 0; vk <= VK_FORMAT_BC7_SRGB_BLOCK; ++vk) {
    const bool of_64_bits = vk >= VK_FORMAT_R64_SFLOAT && vk <= VK_FORMAT_R64G64B64A64_SFLOAT;
    const Format* format = find_format(vk);
    EXPECT_EQ(format == nullptr, unknown.count(vk) != 0 || of_64_bits) << vk;
    if (format != nullptr) {
      EXPECT_EQ(format->vk, vk);
    }
  }
  for (uint32_t vk : {147u, 184u, 999999999u, 1000339999u, 1000340002u, 1000470002u, 0x7fffffffu, 0xffffffffu}) {
    EXPECT_EQ(find_format(vk), nullptr) << vk;
  }
}

TEST(Format, AspectsAreThoseOfTheName) {
  for (const Format& format : formats()) {
    const std::string name = format.name;
    const bool depth = name[0] == 'D' || name.substr(0, 2) == "X8";
    const bool stencil = name.find("S8") != std::string::npos;
    EXPECT_EQ((format.aspects & kDepth) != 0, depth) << name;
    EXPECT_EQ((format.aspects & kStencil) != 0, stencil) << name;
    EXPECT_EQ((format.aspects & kColor) != 0, !depth && !stencil) << name;
    EXPECT_EQ(format.has_depth_and_stencil(), depth && stencil) << name;
  }
}

TEST(Format, PlanesHaveTheirFormats) {
  for (const Format& format : formats()) {
    for (const Aspect aspect : {kColor, kDepth, kStencil}) {
      const Format* plane = plane_format(format, aspect);
      ASSERT_EQ(plane != nullptr, (format.aspects & aspect) != 0) << format.name;
      if (plane == nullptr) continue;
      EXPECT_EQ(plane->aspects, aspect) << format.name;
      if (aspect != kStencil) {
        EXPECT_EQ(plane->layout, format.layout) << format.name;
      }
    }
  }
  EXPECT_EQ(plane_format(*find_format(VK_FORMAT_D24_UNORM_S8_UINT), kDepth)->vk,
            uint32_t{VK_FORMAT_X8_D24_UNORM_PACK32});
  EXPECT_EQ(plane_format(*find_format(VK_FORMAT_D32_SFLOAT_S8_UINT), kStencil)->vk, uint32_t{VK_FORMAT_S8_UINT});
}

/// A border colour goes through the view's swizzle as a texel does.
TEST(Format, BordersAreWhereTheSwizzleLooksForThem) {
  for (const Format& format : formats()) {
    if (format.aspects != kColor) continue;
    for (unsigned component = 0; component < 4; ++component) {
      const Select channel = format.swizzle[component];
      if (channel == Select::zero || channel == Select::one) continue;
      const auto stored = static_cast<unsigned>(channel) - static_cast<unsigned>(Select::x);
      EXPECT_EQ(static_cast<unsigned>(format.border_swizzle[stored]), component + static_cast<unsigned>(Select::x))
          << format.name << ", component " << component;
    }
  }
}

TEST(Format, BlocksHaveTheSizesOfTheSpecification) {
  for (const Format& format : formats()) {
    const std::string name = format.name;
    const ShapeFacts& shape = format.shape();
    const bool compressed = name.find("_BLOCK") != std::string::npos;
    EXPECT_EQ(shape.is_compressed(), compressed) << name;
    EXPECT_EQ(shape.block_width, compressed ? 4 : 1) << name;
    EXPECT_EQ(shape.block_height, compressed ? 4 : 1) << name;
    const bool is_short = name.substr(0, 3) == "BC1" || name.substr(0, 3) == "BC4";
    const unsigned bytes = compressed ? (is_short ? 8 : 16) : reference::meaning_of(name).bytes;
    EXPECT_EQ(shape.bytes, bytes) << name;
  }
}

}  // namespace
}  // namespace spalt::texel
