// SPDX-License-Identifier: MIT
// Descriptors, image layouts and format uses through the C API: what the words are is the matter of tests/unit/abi.
#include <gtest/gtest.h>
#include <spalt/descriptor.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <spalt/spalt.hpp>
#include <string>

namespace {

using spalt_api::Compiler;
using spalt_api::sized;

constexpr uint32_t kRgba8 = 37, kRgb8 = 23, kD24S8 = 129, kX8D24 = 125, kR32Uint = 98, kBc7 = 145;

spalt_image_info image_2d(uint32_t format, uint32_t width, uint32_t height) {
  auto info = sized<spalt_image_info>();
  info.format = format;
  info.dimensions = 2;
  info.width = width;
  info.height = height;
  info.depth = info.levels = info.layers = info.samples = 1;
  return info;
}

spalt_image_descriptor_info view_of(const spalt_image_info& image) {
  auto info = sized<spalt_image_descriptor_info>();
  info.image = &image;
  info.address = 0x10000;
  info.format = image.format;
  info.view_type = 1;
  info.level_count = info.layer_count = 1;
  return info;
}

spalt_sampler_descriptor_info nearest() {
  auto info = sized<spalt_sampler_descriptor_info>();
  info.max_anisotropy = 1;
  return info;
}

class Descriptors : public testing::Test {
 protected:
  const Compiler compiler_{"gfx1030"};
  std::array<uint32_t, 8> words_{};

  spalt_result write(const spalt_image_descriptor_info& info) {
    return spalt_write_image_descriptor(compiler_.handle(), &info, words_.data());
  }
  spalt_result write(const spalt_sampler_descriptor_info& info) {
    return spalt_write_sampler_descriptor(compiler_.handle(), &info, words_.data());
  }
  spalt_result write(const spalt_texel_buffer_descriptor_info& info) {
    return spalt_write_texel_buffer_descriptor(compiler_.handle(), &info, words_.data());
  }
};

TEST_F(Descriptors, MissingPointersAreInvalid) {
  const spalt_image_info image = image_2d(kRgba8, 4, 4);
  const auto view = view_of(image);
  const auto sampler = nearest();
  const auto buffer = sized<spalt_texel_buffer_descriptor_info>();
  auto layout = sized<spalt_image_layout>();
  const spalt_compiler* c = compiler_.handle();
  uint32_t* words = words_.data();
  EXPECT_EQ(spalt_write_image_descriptor(nullptr, &view, words), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_image_descriptor(c, nullptr, words), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_image_descriptor(c, &view, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_sampler_descriptor(nullptr, &sampler, words), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_sampler_descriptor(c, nullptr, words), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_sampler_descriptor(c, &sampler, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_texel_buffer_descriptor(nullptr, &buffer, words), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_texel_buffer_descriptor(c, nullptr, words), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_write_texel_buffer_descriptor(c, &buffer, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_query_image_layout(nullptr, &image, &layout), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_query_image_layout(c, nullptr, &layout), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_query_image_layout(c, &image, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_query_format_uses(nullptr, kRgba8), 0u);
  EXPECT_EQ(spalt_describe_descriptor(nullptr, SPALT_BINDING_IMAGE, words, nullptr, 0), 0u);
  EXPECT_EQ(spalt_describe_descriptor(c, SPALT_BINDING_IMAGE, nullptr, nullptr, 0), 0u);
}

TEST_F(Descriptors, NullOnesAreZero) {
  words_.fill(~0u);
  EXPECT_EQ(write(sized<spalt_image_descriptor_info>()), SPALT_SUCCESS);
  EXPECT_EQ(words_, (std::array<uint32_t, 8>{}));
  words_.fill(~0u);
  EXPECT_EQ(write(sized<spalt_texel_buffer_descriptor_info>()), SPALT_SUCCESS);
  EXPECT_EQ(words_, (std::array<uint32_t, 8>{0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u}));
}

TEST_F(Descriptors, AFailureWritesNothing) {
  const spalt_image_info image = image_2d(kRgba8, 4, 4);
  auto view = view_of(image);
  view.swizzle[2] = 7;
  words_.fill(0xabcd);
  EXPECT_EQ(write(view), SPALT_ERROR_INVALID_ARGUMENT);
  view = view_of(image);
  view.view_type = 7;
  EXPECT_EQ(write(view), SPALT_ERROR_INVALID_ARGUMENT);
  view = view_of(image);
  view.format = 0;
  EXPECT_EQ(write(view), SPALT_ERROR_INVALID_ARGUMENT);
  auto sampler = nearest();
  sampler.address_modes[1] = 5;
  EXPECT_EQ(write(sampler), SPALT_ERROR_INVALID_ARGUMENT);
  sampler = nearest();
  sampler.border_color = 6;
  EXPECT_EQ(write(sampler), SPALT_ERROR_INVALID_ARGUMENT);
  sampler.border_color = SPALT_BORDER_PALETTE;
  sampler.border_index = 4096;
  EXPECT_EQ(write(sampler), SPALT_ERROR_INVALID_ARGUMENT);
  auto buffer = sized<spalt_texel_buffer_descriptor_info>();
  buffer.size = 16;
  buffer.format = kBc7;
  EXPECT_EQ(write(buffer), SPALT_ERROR_UNSUPPORTED);
  buffer.format = 12345;
  EXPECT_EQ(write(buffer), SPALT_ERROR_INVALID_ARGUMENT);
  std::array<uint32_t, 8> untouched;
  untouched.fill(0xabcd);
  EXPECT_EQ(words_, untouched);
}

// Depth and stencil are images of their own.
TEST_F(Descriptors, PlanesNotCombinedFormats) {
  auto layout = sized<spalt_image_layout>();
  spalt_image_info image = image_2d(kD24S8, 4, 4);
  EXPECT_EQ(spalt_query_image_layout(compiler_.handle(), &image, &layout), SPALT_ERROR_INVALID_ARGUMENT);
  image.format = kRgb8;
  EXPECT_EQ(spalt_query_image_layout(compiler_.handle(), &image, &layout), SPALT_ERROR_INVALID_ARGUMENT);
  image.format = kX8D24;
  EXPECT_EQ(spalt_query_image_layout(compiler_.handle(), &image, &layout), SPALT_SUCCESS);
  EXPECT_EQ(layout.levels[0].row_bytes, 256u);
  EXPECT_EQ(layout.bytes, 1024u);
  EXPECT_EQ(layout.alignment, 256u);
}

// An older caller's struct is shorter.
TEST_F(Descriptors, SizesOfStructsAreRespected) {
  const spalt_image_info image = image_2d(kRgba8, 4, 4);
  spalt_image_layout layout;
  std::memset(&layout, 0x5a, sizeof layout);
  layout.struct_size = offsetof(spalt_image_layout, slice_bytes);
  EXPECT_EQ(spalt_query_image_layout(compiler_.handle(), &image, &layout), SPALT_SUCCESS);
  EXPECT_EQ(layout.bytes, 1024u);
  EXPECT_EQ(layout.slice_bytes, 0x5a5a5a5a5a5a5a5au);
}

TEST_F(Descriptors, UsesOfFormats) {
  EXPECT_NE(spalt_query_format_uses(compiler_.handle(), kR32Uint) & SPALT_FORMAT_STORAGE_ATOMIC, 0u);
  EXPECT_EQ(spalt_query_format_uses(compiler_.handle(), kRgb8), 0u);
  EXPECT_EQ(spalt_query_format_uses(compiler_.handle(), 0xffffffff), 0u);
}

TEST_F(Descriptors, TextIsCutLikeSnprintf) {
  const spalt_image_info image = image_2d(kRgba8, 4, 4);
  ASSERT_EQ(write(view_of(image)), SPALT_SUCCESS);
  const auto describe = [&](char* text, size_t size) {
    return spalt_describe_descriptor(compiler_.handle(), SPALT_BINDING_IMAGE, words_.data(), text, size);
  };
  std::string whole(describe(nullptr, 0), ' ');
  whole.resize(describe(whole.data(), whole.size() + 1));
  EXPECT_EQ(whole.rfind("address ", 0), 0u);
  std::array<char, 9> part;
  part.fill('?');
  EXPECT_EQ(describe(part.data(), 8), whole.size());
  EXPECT_EQ(std::string(part.data()), whole.substr(0, 7));
  EXPECT_EQ(part[8], '?');
  EXPECT_EQ(spalt_describe_descriptor(compiler_.handle(), SPALT_BINDING_INLINE_DATA, words_.data(), nullptr, 0), 0u);
}

}  // namespace
