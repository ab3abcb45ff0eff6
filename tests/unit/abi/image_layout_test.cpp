// SPDX-License-Identifier: MIT
#include "amdgpu/abi/image_layout.h"

#include <gtest/gtest.h>

namespace spalt::abi {
namespace {

constexpr uint32_t kRgba8 = 37, kRgb32Float = 106, kBc1 = 133, kR8 = 9;

ImageShape shape_2d(uint32_t format, uint32_t width, uint32_t height, uint32_t levels = 1) {
  ImageShape shape;
  shape.format = texel::find_format(format);
  shape.width = width;
  shape.height = height;
  shape.levels = levels;
  return shape;
}

ImageLayout layout_on(const char* target, const ImageShape& shape) {
  return image_layout(shape, *isa::find_target(target));
}

/// Worked out from addrlib's rules on paper.
struct Expected {
  const char* target;
  uint64_t rows[3], offsets[3], slice;
};

TEST(ImageLayout, LevelsOf100By50) {
  constexpr Expected kExpected[] = {
      {"gfx900", {512, 512, 512}, {0, 25600, 38400}, 45056}, {"gfx1010", {512, 256, 256}, {9728, 3328, 0}, 35328},
      {"gfx1030", {512, 256, 256}, {9728, 3328, 0}, 35328},  {"gfx1100", {512, 256, 256}, {9728, 3328, 0}, 35328},
      {"gfx1150", {512, 256, 256}, {9728, 3328, 0}, 35328},  {"gfx1200", {512, 256, 128}, {9728, 3328, 0}, 35328},
  };
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.target);
    const ImageLayout layout = layout_on(expected.target, shape_2d(kRgba8, 100, 50, 3));
    for (size_t l = 0; l < 3; ++l) {
      EXPECT_EQ(layout.levels[l].row_bytes, expected.rows[l]) << l;
      EXPECT_EQ(layout.levels[l].offset, expected.offsets[l]) << l;
    }
    EXPECT_EQ(layout.levels[2].rows, 13u);
    EXPECT_EQ(layout.slice_bytes, expected.slice);
    EXPECT_EQ(layout.bytes, expected.slice);
  }
}

TEST(ImageLayout, SlicesAreLayersTimesSamples) {
  ImageShape shape = shape_2d(kRgba8, 64, 2);
  shape.layers = 3;
  shape.samples = 4;
  EXPECT_EQ(layout_on("gfx1030", shape).slice_bytes, 512u);
  EXPECT_EQ(layout_on("gfx1030", shape).bytes, 12u * 512);
  shape = shape_2d(kRgba8, 64, 2);
  shape.dimensions = 3;
  shape.depth = 5;
  EXPECT_EQ(layout_on("gfx1030", shape).bytes, 5u * 512);
}

TEST(ImageLayout, CompressedBlocksAreElements) {
  const ImageLayout layout = layout_on("gfx1100", shape_2d(kBc1, 17, 9, 2));  // 5 x 3 blocks of 8 bytes
  EXPECT_EQ(layout.levels[0].row_bytes, 256u);
  EXPECT_EQ(layout.levels[0].rows, 3u);
  EXPECT_EQ(layout.levels[1].rows, 2u);
  EXPECT_EQ(layout.levels[0].offset, 512u);
}

TEST(ImageLayout, RowsOfThreeDwordsAreWholeTexels) {
  EXPECT_EQ(layout_on("gfx900", shape_2d(kRgb32Float, 65, 1)).levels[0].row_bytes, 2u * 768);
}

TEST(ImageLayout, ShapesThatDoNotExist) {
  EXPECT_TRUE(is_image_shape(shape_2d(kR8, 16384, 16384, 15)));
  EXPECT_FALSE(is_image_shape(shape_2d(kR8, 16385, 1)));
  EXPECT_FALSE(is_image_shape(shape_2d(kR8, 16, 16, 6)));
  EXPECT_FALSE(is_image_shape(shape_2d(kR8, 0, 16)));
  EXPECT_FALSE(is_image_shape(shape_2d(23, 16, 16)));  // R8G8B8_UNORM
  EXPECT_FALSE(is_image_shape(shape_2d(0, 16, 16)));
  ImageShape shape = shape_2d(kR8, 16, 16);
  shape.samples = 3;
  EXPECT_FALSE(is_image_shape(shape));
  shape.samples = 4;
  EXPECT_TRUE(is_image_shape(shape));
  shape.levels = 2;
  EXPECT_FALSE(is_image_shape(shape));
  shape = shape_2d(kR8, 16, 16);
  shape.dimensions = 1;
  EXPECT_FALSE(is_image_shape(shape));
  shape.dimensions = 3;
  shape.layers = 2;
  EXPECT_FALSE(is_image_shape(shape));
}

}  // namespace
}  // namespace spalt::abi
