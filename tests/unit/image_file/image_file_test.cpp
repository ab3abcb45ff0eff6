// SPDX-License-Identifier: MIT
#include "image_file/image_file.h"

#include <gtest/gtest.h>
#include <spalt/texel.h>

#include <cstring>
#include <random>

namespace spalt_tool {
namespace {

enum : uint32_t {
  kRgba8 = 37,
  kRgba8Uint = 41,
  kRgba8Srgb = 43,
  kBgra8 = 44,
  kRgba32Float = 109,
  kE5 = 123,
  kD24S8 = 129,
  kBc1 = 133,
  kBc7 = 145
};

ImageData make_image(uint32_t format, uint32_t dimensions, uint32_t side, uint32_t layers, uint32_t levels) {
  ImageData image;
  image.format = format;
  image.dimensions = dimensions;
  image.width = side;
  image.height = dimensions >= 2 ? side : 1;
  image.depth = dimensions >= 3 ? side : 1;
  image.layers = layers;
  image.is_array = layers > 1;
  std::mt19937 random(format);
  for (uint32_t level = 0; level < levels; ++level) {
    image.levels.emplace_back(level_bytes(image, level));
    for (uint8_t& byte : image.levels.back()) byte = static_cast<uint8_t>(random());
  }
  return image;
}

uint32_t word_at(const std::vector<uint8_t>& bytes, size_t offset) {
  uint32_t word;
  std::memcpy(&word, &bytes[offset], sizeof word);
  return word;
}

void set(std::vector<uint8_t>& bytes, size_t offset, uint64_t value, size_t size = 4) {
  std::memcpy(&bytes[offset], &value, size);
}

std::string message_of(const std::vector<uint8_t>& bytes) {
  ImageData image;
  std::string error;
  return read_image(bytes, image, error) ? "" : error;
}

void expect_same_again(const ImageData& image) {
  ImageData again;
  std::string error;
  ASSERT_TRUE(read_image(write_ktx2(image), again, error)) << image.format << ": " << error;
  EXPECT_EQ(image, again) << image.format;
}

TEST(Ktx2, EveryFormatAgain) {
  for (size_t i = 0; spalt_known_format(i) != 0; ++i) {
    spalt_format_info info{};
    info.struct_size = sizeof info;
    spalt_query_format(spalt_known_format(i), &info);
    if (info.aspects != 6) expect_same_again(make_image(spalt_known_format(i), 2, 5, 1, 3));
  }
}

TEST(Ktx2, EveryShapeAgain) {
  for (const uint32_t format : {uint32_t{kRgba8}, uint32_t{kBc7}}) {
    expect_same_again(make_image(format, 1, 9, 1, 4));
    expect_same_again(make_image(format, 1, 9, 3, 2));
    expect_same_again(make_image(format, 2, 9, 7, 4));
    expect_same_again(make_image(format, 3, 9, 1, 4));
    ImageData cubes = make_image(format, 2, 8, 12, 4);
    cubes.is_cube = true;
    expect_same_again(cubes);
  }
}

TEST(Ktx2, TheHeaderIsThatOfTheSpecification) {
  const std::vector<uint8_t> bytes = write_ktx2(make_image(kRgba8, 2, 2, 1, 2));
  const uint32_t header[] = {kRgba8, 1, 2, 2, 0, 0, 1, 2, 0, 128, 92, 0, 0};
  for (size_t i = 0; i < std::size(header); ++i) EXPECT_EQ(word_at(bytes, 12 + 4 * i), header[i]) << i;
  EXPECT_EQ(word_at(bytes, 80 + 24), 220u);  // the smaller level comes first
  EXPECT_EQ(word_at(bytes, 80), 224u);
  EXPECT_EQ(bytes.size(), 240u);
}

TEST(Ktx2, DescribesTheDataFormat) {
  const std::vector<uint8_t> bytes = write_ktx2(make_image(kBgra8, 2, 1, 1, 1));
  const uint32_t bgra[] = {92, 0, 2 | 88 << 16, 1 | 1 << 8 | 1 << 16,     0, 4, 0,   0 | 7 << 16 | 2 << 24,
                           0,  0, 255,          8 | 7 << 16 | 1 << 24,    0, 0, 255, 16 | 7 << 16,
                           0,  0, 255,          24 | 7 << 16 | 15u << 24, 0, 0, 255};
  for (size_t i = 0; i < std::size(bgra); ++i) EXPECT_EQ(word_at(bytes, 104 + 4 * i), bgra[i]) << i;
  const std::vector<uint8_t> shared = write_ktx2(make_image(kE5, 2, 1, 1, 1));
  EXPECT_EQ(word_at(shared, 104), 28u + 6 * 16);
  EXPECT_EQ(word_at(shared, 104 + 28 + 16), 27u | 4 << 16 | 0x20u << 24);
  const std::vector<uint8_t> block = write_ktx2(make_image(kBc7, 2, 4, 1, 1));
  EXPECT_EQ(word_at(block, 104 + 12) & 0xff, 134u);
  EXPECT_EQ(word_at(block, 104 + 16), 3u | 3 << 8);
}

TEST(Ktx2, WhatIsWrongIsSaid) {
  const std::vector<uint8_t> good = write_ktx2(make_image(kRgba8, 2, 4, 1, 2));
  const auto changed = [&](size_t offset, uint64_t value, size_t size = 4) {
    std::vector<uint8_t> bytes = good;
    set(bytes, offset, value, size);
    return message_of(bytes);
  };
  EXPECT_EQ(message_of(good), "");
  EXPECT_EQ(changed(0, 0), "is neither KTX2 nor PNG");
  EXPECT_EQ(changed(5, '1', 1), "is a KTX file, but not of version 2");
  EXPECT_EQ(changed(12, 0), "names no Vulkan format");
  EXPECT_EQ(changed(12, 29), "has format 29, which is not known");
  EXPECT_EQ(changed(12, kD24S8), "has a format of two planes, D24_UNORM_S8_UINT");
  EXPECT_EQ(changed(20, 0), "has an image without size");
  EXPECT_EQ(changed(20, 0xffffffff), "is larger than 16384");
  EXPECT_EQ(changed(32, 16385), "is larger than 16384");
  EXPECT_EQ(changed(36, 2), "has 2 faces");
  EXPECT_EQ(changed(40, 4), "has 4 levels, more than its size allows");
  EXPECT_EQ(changed(44, 1), "has supercompression 1; none is supported");
  EXPECT_EQ(changed(80, 0xfffffffffffffff0, 8), "ends before one of its levels");
  EXPECT_EQ(changed(80, good.size() - 63, 8), "ends before one of its levels");
  EXPECT_EQ(changed(88, 60, 8), "has a level of 60 bytes that must have 64");
  std::vector<uint8_t> cube = good;
  set(cube, 24, 8);
  set(cube, 36, 6);
  EXPECT_EQ(message_of(cube), "has a cube whose faces are not square");
}

TEST(Ktx2, EveryTruncationIsRefused) {
  const std::vector<uint8_t> good = write_ktx2(make_image(kBc1, 2, 4, 1, 3));
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_NE(message_of({good.begin(), good.begin() + static_cast<ptrdiff_t>(size)}), "") << size;
  }
}

std::vector<uint8_t> png_of(const ImageData& image) {
  std::vector<uint8_t> bytes;
  std::string error;
  EXPECT_TRUE(write_png(image, bytes, error)) << error;
  return bytes;
}

ImageData read_back(const std::vector<uint8_t>& bytes) {
  ImageData image;
  std::string error;
  EXPECT_TRUE(read_image(bytes, image, error)) << error;
  return image;
}

TEST(Png, CodesOf8BitsAgain) {
  for (const uint32_t format : {uint32_t{kRgba8}, uint32_t{kRgba8Srgb}}) {
    const ImageData image = make_image(format, 2, 13, 1, 1);
    const ImageData again = read_back(png_of(image));
    EXPECT_EQ(again.format, uint32_t{kRgba8});
    EXPECT_EQ(again.width, 13u);
    EXPECT_EQ(again.height, 13u);
    EXPECT_EQ(again.levels, image.levels);
  }
}

TEST(Png, OtherFormatsAreConverted) {
  ImageData bgra = make_image(kBgra8, 2, 1, 1, 1);
  bgra.levels[0] = {1, 2, 3, 4};
  EXPECT_EQ(read_back(png_of(bgra)).levels[0], (std::vector<uint8_t>{3, 2, 1, 4}));
  ImageData floats = make_image(kRgba32Float, 2, 1, 1, 1);
  const float numbers[] = {-1, 0.5f, 7, 1};
  std::memcpy(floats.levels[0].data(), numbers, sizeof numbers);
  EXPECT_EQ(read_back(png_of(floats)).levels[0], (std::vector<uint8_t>{0, 128, 255, 255}));
  // Red and black; the codes are 0, 1, 2, 3 in each row, and the image is cut at five texels.
  ImageData blocks = make_image(kBc1, 2, 5, 1, 1);
  const uint8_t block[] = {0x00, 0x00, 0x00, 0xf8, 0xe4, 0xe4, 0xe4, 0xe4};
  for (size_t i = 0; i < 4; ++i) std::memcpy(&blocks.levels[0][8 * i], block, sizeof block);
  const std::vector<uint8_t> pixels = read_back(png_of(blocks)).levels[0];
  for (size_t y = 0; y < 5; ++y) {
    const uint8_t red[] = {0, 255, 128, 0, 0}, alpha[] = {255, 255, 255, 0, 255};
    for (size_t x = 0; x < 5; ++x) {
      EXPECT_EQ(pixels[(y * 5 + x) * 4], red[x]) << x << " " << y;
      EXPECT_EQ(pixels[(y * 5 + x) * 4 + 3], alpha[x]) << x << " " << y;
    }
  }
}

TEST(Png, WhatIsWrongIsSaid) {
  std::vector<uint8_t> bytes;
  std::string error;
  EXPECT_FALSE(write_png(make_image(kRgba8Uint, 2, 1, 1, 1), bytes, error));
  EXPECT_EQ(error, "cannot be PNG: R8G8B8A8_UINT has no colours of 8 bits");
  const std::vector<uint8_t> good = png_of(make_image(kRgba8, 2, 4, 1, 1));
  for (size_t size = 4; size < good.size() - 12; ++size) {  // libpng does without the last chunk
    EXPECT_NE(message_of({good.begin(), good.begin() + static_cast<ptrdiff_t>(size)}), "") << size;
  }
}

}  // namespace
}  // namespace spalt_tool
