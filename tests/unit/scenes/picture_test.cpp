// SPDX-License-Identifier: MIT
#include "scenes/picture.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "vkrun/image_manifest.h"
#include "vkrun/image_texels.h"

namespace spalt::scenes {
namespace {

/// Two pictures of 4 x 2 texels of one format.
class Pair {
 public:
  explicit Pair(const char* format, VkImageAspectFlagBits aspect = VK_IMAGE_ASPECT_COLOR_BIT) {
    Image& image = scene_.images.emplace_back();
    image.desc.name = "picture";
    image.desc.format = vkrun::format_named(format);
    image.desc.width = 4;
    image.desc.height = 2;
    comparison_.aspect = aspect;
    const vkrun::ImageDesc desc = picture_desc(scene_, comparison_);
    expected_.resize(vkrun::image_bytes(desc));
    actual_ = expected_;
  }

  Comparison& comparison() { return comparison_; }
  /// Sets the red of a texel in both.
  void set(uint32_t x, double expected, double actual) {
    const vkrun::ImageDesc desc = picture_desc(scene_, comparison_);
    const auto texel = [&](double value) -> texel::Texel {
      if (vkrun::has_integers(*desc.format)) return {static_cast<uint32_t>(static_cast<int64_t>(value)), 0, 0, 0};
      return {std::bit_cast<uint32_t>(static_cast<float>(value)), 0, 0, 0};
    };
    vkrun::store_texel(desc, expected_, {0, x, 1, 0}, texel(expected));
    vkrun::store_texel(desc, actual_, {0, x, 1, 0}, texel(actual));
  }
  PictureDifference compare() const { return compare_pictures(scene_, comparison_, expected_, actual_); }

 private:
  Scene scene_;
  Comparison comparison_;
  std::vector<uint8_t> expected_, actual_;
};

TEST(Pictures, OneStepOfEightBitsAgrees) {
  for (const char* format : {"R8G8B8A8_UNORM", "R8G8B8A8_SRGB", "R16_UNORM", "R32_SFLOAT"}) {
    Pair pair(format);
    pair.set(0, 100 / 255.0, 101 / 255.0);
    EXPECT_EQ(pair.compare().different, 0u) << format;
    pair.set(1, 100 / 255.0, 102 / 255.0);
    pair.set(3, 1.0, 0.5);
    EXPECT_EQ(pair.compare().different, 2u) << format;
    EXPECT_DOUBLE_EQ(pair.compare().share(), 0.25) << format;
    EXPECT_NE(pair.compare().first.find("picture (1, 1)"), std::string::npos) << pair.compare().first;
  }
}

TEST(Pictures, EveryStepOfEightBitsIsOne) {
  Pair pair("R8_UNORM");
  for (int step = 1; step < 256; ++step) {
    pair.set(0, step / 255.0, (step - 1) / 255.0);
    EXPECT_EQ(pair.compare().different, 0u) << step;
    if (step > 1) pair.set(0, step / 255.0, (step - 2) / 255.0);
    EXPECT_EQ(pair.compare().different, step > 1 ? 1u : 0u) << step;
  }
}

TEST(Pictures, CoarseChannelsHaveTheirOwnStep) {
  Pair pair("R5G6B5_UNORM_PACK16");
  pair.set(0, 10 / 31.0, 11 / 31.0);
  EXPECT_EQ(pair.compare().different, 0u);
  pair.set(0, 10 / 31.0, 12 / 31.0);
  EXPECT_EQ(pair.compare().different, 1u);
}

TEST(Pictures, IntegersAgreeExactly) {
  for (const char* format : {"R8G8B8A8_UINT", "R32_SINT"}) {
    Pair pair(format);
    pair.set(0, 7, 7);
    EXPECT_EQ(pair.compare().different, 0u);
    pair.set(0, 7, 8);
    EXPECT_EQ(pair.compare().different, 1u);
  }
}

TEST(Pictures, LargeFloatsAreRelativeAndNaNsEqual) {
  Pair pair("R32_SFLOAT");
  pair.set(0, 1000.0, 1003.0);
  pair.set(1, std::nan(""), std::nan(""));
  EXPECT_EQ(pair.compare().different, 0u);
  pair.set(2, 1000.0, 1005.0);
  pair.set(3, std::nan(""), 0.0);
  EXPECT_EQ(pair.compare().different, 2u);
}

TEST(Pictures, DepthAndStencilAreStricter) {
  Pair depth("D32_SFLOAT_S8_UINT", VK_IMAGE_ASPECT_DEPTH_BIT);
  depth.set(0, 0.5, 0.5001);
  EXPECT_EQ(depth.compare().different, 0u);
  depth.set(0, 0.5, 0.501);
  EXPECT_EQ(depth.compare().different, 1u);
  Pair stencil("D32_SFLOAT_S8_UINT", VK_IMAGE_ASPECT_STENCIL_BIT);
  stencil.set(0, 7, 8);
  EXPECT_EQ(stencil.compare().different, 1u);
}

TEST(Pictures, ToleranceReplacesTheStep) {
  Pair pair("R8_UNORM");
  pair.set(0, 0.5, 0.4);
  pair.comparison().tolerance = 0.11;
  EXPECT_EQ(pair.compare().different, 0u);
  pair.comparison().tolerance = 0.0;
  pair.set(0, 100 / 255.0, 101 / 255.0);
  EXPECT_EQ(pair.compare().different, 1u);
}

}  // namespace
}  // namespace spalt::scenes
