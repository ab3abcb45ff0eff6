// SPDX-License-Identifier: MIT
//
// Blits and resolves. Expectations follow "Image Copies with Scaling" of the Vulkan specification, worked out by hand
// for boxes whose results are exact.
#include <bit>
#include <cmath>
#include <cstring>

#include "command_fixture.h"
#include "images.h"

namespace spalt::icd::test {
namespace {

class Blits : public CommandTest {
 protected:
  /// An image of one layer that holds the words.
  TestImage& filled(const ImageOptions& options, const std::vector<uint32_t>& words) {
    TestImage& image = images_.emplace_back(gpu, options);
    const TestBuffer& from = buffer(words);
    const VkBufferImageCopy region{0, 0, 0, layers(0, 0, options.layers), {}, options.extent};
    VkCommandBuffer commands = begin();
    entry::CmdCopyBufferToImage(commands, from.handle(), image.handle(), VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    return image;
  }
  std::vector<uint32_t> blit(const TestImage& from, const VkImageBlit& region, const ImageOptions& to, size_t words,
                             VkFilter filter = VK_FILTER_NEAREST) {
    TestImage& image = filled(to, std::vector<uint32_t>(words, 0));
    const TestBuffer& read = buffer(std::vector<uint32_t>(words));
    const VkBufferImageCopy back{0, 0, 0, layers(0, 0, to.layers), {}, to.extent};
    VkCommandBuffer commands = begin();
    entry::CmdBlitImage(commands, from.handle(), VK_IMAGE_LAYOUT_GENERAL, image.handle(), VK_IMAGE_LAYOUT_GENERAL, 1,
                        &region, filter);
    entry::CmdCopyImageToBuffer(commands, image.handle(), VK_IMAGE_LAYOUT_GENERAL, read.handle(), 1, &back);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    return values(read);
  }

 private:
  std::deque<TestImage> images_;
};

VkImageBlit scale(VkOffset3D from, VkOffset3D from_end, VkOffset3D to, VkOffset3D to_end) {
  return {layers(), {from, from_end}, layers(), {to, to_end}};
}

std::vector<uint32_t> bits(const std::vector<float>& numbers) {
  std::vector<uint32_t> words;
  for (const float number : numbers) words.push_back(std::bit_cast<uint32_t>(number));
  return words;
}

TEST_F(Blits, NearestDoublesAndHalves) {
  const ImageOptions four{.extent = {4, 1, 1}}, eight{.extent = {8, 1, 1}}, two{.extent = {2, 1, 1}};
  const TestImage& image = filled(four, {1, 2, 3, 4});
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {4, 1, 1}, {0, 0, 0}, {8, 1, 1}), eight, 8),
            (std::vector<uint32_t>{1, 1, 2, 2, 3, 3, 4, 4}));
  // Centers 0.5 and 1.5 become 1 and 3: the texels that begin there.
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {4, 1, 1}, {0, 0, 0}, {2, 1, 1}), two, 2), (std::vector<uint32_t>{2, 4}));
}

TEST_F(Blits, CornersInTheOtherOrderMirror) {
  const ImageOptions options{.extent = {2, 2, 1}};
  const TestImage& image = filled(options, {1, 2, 3, 4});
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {2, 2, 1}, {2, 0, 0}, {0, 2, 1}), options, 4),
            (std::vector<uint32_t>{2, 1, 4, 3}));
  EXPECT_EQ(blit(image, scale({0, 2, 0}, {2, 0, 1}, {0, 0, 0}, {2, 2, 1}), options, 4),
            (std::vector<uint32_t>{3, 4, 1, 2}));
  EXPECT_EQ(blit(image, scale({2, 2, 0}, {0, 0, 1}, {2, 2, 0}, {0, 0, 1}), options, 4),
            (std::vector<uint32_t>{1, 2, 3, 4}));
}

TEST_F(Blits, LinearWeighsAndClampsAtTheEdge) {
  const ImageOptions two{.format = VK_FORMAT_R32_SFLOAT, .extent = {2, 1, 1}};
  const ImageOptions four{.format = VK_FORMAT_R32_SFLOAT, .extent = {4, 1, 1}};
  const TestImage& image = filled(two, bits({0, 8}));
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {2, 1, 1}, {0, 0, 0}, {4, 1, 1}), four, 4, VK_FILTER_LINEAR),
            bits({0, 2, 6, 8}));
}

TEST_F(Blits, LinearWeighsSlices) {
  const ImageOptions two{.format = VK_FORMAT_R32_SFLOAT, .type = VK_IMAGE_TYPE_3D, .extent = {1, 1, 2}};
  const ImageOptions one{.format = VK_FORMAT_R32_SFLOAT, .type = VK_IMAGE_TYPE_3D, .extent = {1, 1, 1}};
  const TestImage& image = filled(two, bits({1, 3}));
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {1, 1, 2}, {0, 0, 0}, {1, 1, 1}), one, 1, VK_FILTER_LINEAR), bits({2}));
}

TEST_F(Blits, InfinityWithoutWeightIsNotSeen) {
  const ImageOptions two{.format = VK_FORMAT_R32_SFLOAT, .extent = {2, 1, 1}};
  const TestImage& image = filled(two, bits({5, INFINITY}));
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}), two, 2, VK_FILTER_LINEAR), bits({5, 0}));
}

TEST_F(Blits, FormatsAreConverted) {
  const TestImage& bytes = filled({.extent = {1, 1, 1}}, {0xff00'80ff});
  const ImageOptions blue_first{.format = VK_FORMAT_B8G8R8A8_UNORM, .extent = {1, 1, 1}};
  const VkImageBlit all = scale({0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(blit(bytes, all, blue_first, 1), (std::vector<uint32_t>{0xffff'8000}));
  const ImageOptions floats{.format = VK_FORMAT_R32G32B32A32_SFLOAT, .extent = {1, 1, 1}};
  EXPECT_EQ(blit(bytes, all, floats, 4), bits({1, 128 / 255.0f, 0, 1}));
  const TestImage& integers = filled({.format = VK_FORMAT_R32_SINT, .extent = {1, 1, 1}}, {0xffff'fffe});
  const ImageOptions shorts{.format = VK_FORMAT_R16G16_SINT, .extent = {1, 1, 1}};
  EXPECT_EQ(blit(integers, all, shorts, 1), (std::vector<uint32_t>{0x0000'fffe}));
}

TEST_F(Blits, BlocksAreDecoded) {
  // BC1: colours 0xf800 (red) and 0x001f (blue), 16 indices of two bits: row y of texels has index 0, 1, 0, 1.
  const ImageOptions block{.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK, .extent = {4, 4, 1}};
  const TestImage& image = filled(block, {0x001f'f800, 0x44444444});
  const ImageOptions row{.extent = {4, 1, 1}};
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {4, 4, 1}, {0, 0, 0}, {4, 1, 1}), row, 4),
            (std::vector<uint32_t>{0xff0000ff, 0xffff0000, 0xff0000ff, 0xffff0000}));
}

TEST_F(Blits, LayersGoInOrder) {
  const ImageOptions options{.extent = {1, 1, 1}, .layers = 4};
  const TestImage& image = filled(options, {1, 2, 3, 4});
  const VkImageBlit region{layers(0, 2, 2), {{0, 0, 0}, {1, 1, 1}}, layers(0, 1, 2), {{0, 0, 0}, {1, 1, 1}}};
  EXPECT_EQ(blit(image, region, options, 4), (std::vector<uint32_t>{0, 3, 4, 0}));
}

TEST_F(Blits, WhatIsOutsideIsCut) {
  const ImageOptions options{.extent = {2, 1, 1}};
  const TestImage& image = filled(options, {1, 2});
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {2, 1, 1}, {-2, -1, 0}, {2, 1, 1}), options, 2),
            (std::vector<uint32_t>{2, 2}));
  EXPECT_EQ(blit(image, scale({0, 0, 0}, {2, 1, 1}, {1, 0, 0}, {1, 1, 1}), options, 2), (std::vector<uint32_t>{0, 0}));
}

TEST_F(Blits, ResolvesTakeTheMeanOfFloatsAndTheFirstOfIntegers) {
  const auto resolve = [&](VkFormat format, uint32_t first, uint32_t second) {
    ImageOptions options{.format = format, .extent = {1, 1, 1}, .samples = VK_SAMPLE_COUNT_2_BIT};
    const TestImage samples(gpu, options);
    const VkSubresourceLayout layout = samples.layout();
    void* mapped = nullptr;
    EXPECT_EQ(entry::MapMemory(device(), samples.memory(), 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
    auto* texel = static_cast<std::byte*>(mapped) + layout.offset;
    std::memcpy(texel, &first, sizeof first);
    std::memcpy(texel + layout.depthPitch, &second, sizeof second);
    options.samples = VK_SAMPLE_COUNT_1_BIT;
    const TestImage single(gpu, options);
    const TestBuffer& read = buffer({0});
    const VkImageResolve region{layers(), {}, layers(), {}, {1, 1, 1}};
    const VkBufferImageCopy back{0, 0, 0, layers(), {}, {1, 1, 1}};
    VkCommandBuffer commands = begin();
    entry::CmdResolveImage(commands, samples.handle(), VK_IMAGE_LAYOUT_GENERAL, single.handle(),
                           VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    entry::CmdCopyImageToBuffer(commands, single.handle(), VK_IMAGE_LAYOUT_GENERAL, read.handle(), 1, &back);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    return read.words()[0];
  };
  EXPECT_EQ(resolve(VK_FORMAT_R32_SFLOAT, std::bit_cast<uint32_t>(1.0f), std::bit_cast<uint32_t>(4.0f)),
            std::bit_cast<uint32_t>(2.5f));
  EXPECT_EQ(resolve(VK_FORMAT_R8G8B8A8_UNORM, 0x00ff0000, 0x0001'0000), 0x0080'0000u);
  EXPECT_EQ(resolve(VK_FORMAT_R32_UINT, 5, 9), 5u);
}

}  // namespace
}  // namespace spalt::icd::test
