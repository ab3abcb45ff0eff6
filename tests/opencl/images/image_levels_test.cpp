// SPDX-License-Identifier: MIT
// Reads of images with levels, as cl_khr_mipmap_image has them: the level of detail is given, or that of the larger
// gradient; two levels are blended.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "image_kernels.h"

namespace spalt::opencl {
namespace {

constexpr size_t kItems = 128;
constexpr unsigned kLevels = 4;
/// Levels of these shapes have halves of their sides, rounded down.
constexpr ImageShape kShapes[] = {{Kind::d1, "1d", {37, 1, 1}, 1},
                                  {Kind::d1_array, "1da", {24, 1, 1}, 3},
                                  {Kind::d2, "2d", {21, 13, 1}, 1},
                                  {Kind::d2_array, "2da", {17, 11, 1}, 3},
                                  {Kind::d3, "3d", {19, 9, 11}, 1}};

class ImageLevels : public testing::TestWithParam<ImageTarget> {
 protected:
  const ImageKernels& kernels() const { return ImageKernels::get("levels.cl", GetParam()); }

  static Places random_places(const ClTexels& image, uint32_t seed) {
    std::mt19937 random(seed);
    Places places(kItems);
    for (auto& place : places) {
      for (unsigned axis = 0; axis < image.dimensions; ++axis)
        place[axis] = static_cast<float>(random() % 3001) / 1000 - 1;
      if (image.is_array) place[image.dimensions] = static_cast<float>(random() % static_cast<unsigned>(image.layers));
    }
    return places;
  }

  static Color blend(const ClImage& image, const ClSampler& sampler, double lod, const std::array<float, 4>& at) {
    lod = std::clamp(lod, 0.0, kLevels - 1.0);
    const auto first = static_cast<unsigned>(lod);
    const double fraction = lod - first;
    Color color = read_image(image.texels(first), sampler, at);
    if (fraction == 0) return color;
    const Color second = read_image(image.texels(first + 1), sampler, at);
    for (size_t c = 0; c < 4; ++c) color[c] = color[c] * (1 - fraction) + second[c] * fraction;
    return color;
  }

  /// `lod` of an item tells what the reference reads at.
  void check(const std::string& kernel, const ImageShape& shape, Places more,
             const std::function<double(size_t)>& lod) const {
    const ClSampler sampler{Address::repeat, true, true};
    ClImage image(find_format("rgba8_unorm"), shape.kind, shape.size, shape.layers, GetParam().index, 1, kLevels);
    Places places = random_places(image.texels(), 2);
    std::vector<float> results(kItems * 4);
    const std::string fault = kernels().run(
        kernel + shape.name, image,
        {ImageKernels::object(image.object()), ImageKernels::object(sampler_object(sampler, GetParam().index, true)),
         ImageKernels::data(places), ImageKernels::data(more), ImageKernels::data(results)},
        kItems);
    ASSERT_EQ(fault, "") << kernel << shape.name;
    // Half a step of 1/256 of each axis and of the level.
    const double tolerance = (image.texels().dimensions + 1) / 512.0 + 1e-5;
    for (size_t i = 0; i < kItems; ++i) {
      const Color expected = blend(image, sampler, lod(i), places[i]);
      for (size_t c = 0; c < 4; ++c) {
        EXPECT_NEAR(static_cast<double>(results[i * 4 + c]), expected[c], tolerance)
            << kernel << shape.name << " at level " << lod(i) << ", place " << places[i][0] << " " << places[i][1];
      }
    }
  }
};

TEST_P(ImageLevels, AreBlendedAtAGivenLevel) {
  for (const ImageShape& shape : kShapes) {
    Places more(kItems);
    for (size_t i = 0; i < kItems; ++i) more[i][0] = static_cast<float>(i) / 16 - 2;
    check("lod_", shape, more, [&](size_t i) { return static_cast<double>(more[i][0]); });
  }
}

TEST_P(ImageLevels, FollowFromGradients) {
  for (const ImageShape& shape : kShapes) {
    const bool has_y = shape.size[1] > 1;
    Places more(kItems);
    std::mt19937 random(3);
    for (auto& gradients : more) {
      for (size_t c = 0; c < 4; ++c) gradients[c] = std::exp2(static_cast<float>(random() % 6000) / 1000 - 6);
    }
    check("gradient_", shape, more, [&](size_t i) {
      const auto length = [&](size_t first) {
        const double x = static_cast<double>(more[i][first]) * shape.size[0];
        const double y = has_y ? static_cast<double>(more[i][first + 1]) * shape.size[1] : 0;
        return std::hypot(x, y);
      };
      return std::log2(std::max(length(0), length(2)));
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ImageLevels, testing::ValuesIn(image_targets()),
                         [](const auto& target) { return test_name(target.param); });

}  // namespace
}  // namespace spalt::opencl
