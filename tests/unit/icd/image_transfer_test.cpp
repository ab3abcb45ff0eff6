// SPDX-License-Identifier: MIT
//
// Copies and clears of images. What is expected is computed here, texel by texel, from the words of Vulkan.
#include <cstring>

#include "command_fixture.h"
#include "images.h"

namespace spalt::icd::test {
namespace {

std::vector<uint32_t> counted(size_t count, uint32_t first = 1) {
  std::vector<uint32_t> words(count);
  for (size_t i = 0; i < count; ++i) words[i] = first + static_cast<uint32_t>(i);
  return words;
}

class ImageTransfers : public CommandTest {
 protected:
  void upload(VkCommandBuffer commands, const TestBuffer& from, const TestImage& to, const VkBufferImageCopy& region) {
    entry::CmdCopyBufferToImage(commands, from.handle(), to.handle(), VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  }
  void download(VkCommandBuffer commands, const TestImage& from, const TestBuffer& to,
                const VkBufferImageCopy& region) {
    entry::CmdCopyImageToBuffer(commands, from.handle(), VK_IMAGE_LAYOUT_GENERAL, to.handle(), 1, &region);
  }
  /// The words of a whole level, layer after layer.
  std::vector<uint32_t> words_of(const TestImage& image, VkExtent3D extent, const VkImageSubresourceLayers& layers,
                                 size_t words) {
    const TestBuffer& to = buffer(std::vector<uint32_t>(words));
    VkCommandBuffer commands = begin();
    download(commands, image, to, {0, 0, 0, layers, {}, extent});
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    return values(to);
  }
};

TEST_F(ImageTransfers, RowsAndSlicesOfTheBufferMayBeLongerThanThoseOfTheImage) {
  // Two layers of 2 x 2 texels in rows of 5 and slices of 3 rows, from byte 8 on.
  const TestBuffer& from = buffer(counted(40));
  const TestImage image(gpu, {.extent = {4, 3, 1}, .layers = 3});
  VkCommandBuffer commands = begin();
  upload(commands, from, image, {8, 5, 3, layers(0, 1, 2), {1, 1, 0}, {2, 2, 1}});
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  std::vector<uint32_t> expected(36);
  for (uint32_t layer = 0; layer < 2; ++layer) {
    for (uint32_t y = 0; y < 2; ++y) {
      for (uint32_t x = 0; x < 2; ++x) {
        expected[(layer + 1) * 12 + (y + 1) * 4 + x + 1] = 3 + layer * 15 + y * 5 + x;
      }
    }
  }
  EXPECT_EQ(words_of(image, {4, 3, 1}, layers(0, 0, 3), 36), expected);
}

TEST_F(ImageTransfers, LevelsAreApart) {
  const TestImage image(gpu, {.extent = {7, 5, 1}, .levels = 3, .layers = 2});
  const VkExtent3D extents[] = {{7, 5, 1}, {3, 2, 1}, {1, 1, 1}};
  VkCommandBuffer commands = begin();
  for (uint32_t level = 0; level < 3; ++level) {
    const VkExtent3D extent = extents[level];
    const TestBuffer& from = buffer(counted(extent.width * extent.height * 2, 1000 * (level + 1)));
    upload(commands, from, image, {0, 0, 0, layers(level, 0, 2), {}, extent});
  }
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  for (uint32_t level = 0; level < 3; ++level) {
    const VkExtent3D extent = extents[level];
    const size_t count = extent.width * extent.height * 2;
    EXPECT_EQ(words_of(image, extent, layers(level, 0, 2), count), counted(count, 1000 * (level + 1)));
  }
}

TEST_F(ImageTransfers, SubresourceLayoutsTellWhereTexelsAre) {
  const TestImage image(gpu, {.extent = {6, 4, 1}, .levels = 2, .layers = 3});
  const TestBuffer& from = buffer(counted(6));
  VkCommandBuffer commands = begin();
  upload(commands, from, image, {0, 0, 0, layers(1, 2), {}, {3, 2, 1}});
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  void* mapped = nullptr;
  EXPECT_EQ(entry::MapMemory(device(), image.memory(), 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
  const VkSubresourceLayout layout = image.layout(VK_IMAGE_ASPECT_COLOR_BIT, 1, 2);
  EXPECT_GE(layout.size, layout.rowPitch + 12);
  for (uint32_t i = 0; i < 6; ++i) {
    uint32_t word = 0;
    std::memcpy(&word, static_cast<std::byte*>(mapped) + layout.offset + i / 3 * layout.rowPitch + i % 3 * 4, 4);
    EXPECT_EQ(word, i + 1);
  }
}

TEST_F(ImageTransfers, LayersBecomeDepthSlicesAndBack) {
  const TestImage flat(gpu, {.extent = {2, 2, 1}, .layers = 4});
  const TestImage solid(gpu, {.type = VK_IMAGE_TYPE_3D, .extent = {2, 2, 4}});
  const TestBuffer& from = buffer(counted(16));
  VkCommandBuffer commands = begin();
  upload(commands, from, flat, {0, 0, 0, layers(0, 0, 4), {}, {2, 2, 1}});
  const VkImageCopy to_solid{layers(0, 1, 2), {}, layers(), {0, 0, 2}, {2, 2, 2}};
  entry::CmdCopyImage(commands, flat.handle(), VK_IMAGE_LAYOUT_GENERAL, solid.handle(), VK_IMAGE_LAYOUT_GENERAL, 1,
                      &to_solid);
  const VkImageCopy to_flat{layers(), {0, 0, 3}, layers(0, 0, 1), {}, {2, 2, 1}};
  entry::CmdCopyImage(commands, solid.handle(), VK_IMAGE_LAYOUT_GENERAL, flat.handle(), VK_IMAGE_LAYOUT_GENERAL, 1,
                      &to_flat);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  std::vector<uint32_t> expected(16);
  for (uint32_t i = 0; i < 8; ++i) expected[8 + i] = 5 + i;
  EXPECT_EQ(words_of(solid, {2, 2, 4}, layers(), 16), expected);
  EXPECT_EQ(words_of(flat, {2, 2, 1}, layers(), 4), (std::vector<uint32_t>{9, 10, 11, 12}));
}

TEST_F(ImageTransfers, BlocksCopyToTexelsOfTheirSize) {
  // 12 x 8 texels of BC1 are 3 x 2 blocks of 8 bytes.
  const TestImage blocks(gpu, {.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK, .extent = {10, 8, 1}});
  const TestImage texels(gpu, {.format = VK_FORMAT_R32G32_UINT, .extent = {4, 4, 1}});
  const TestBuffer& from = buffer(counted(12));
  VkCommandBuffer commands = begin();
  upload(commands, from, blocks, {0, 0, 0, layers(), {}, {10, 8, 1}});
  // From texel (4, 4) on: blocks 1 and 2 of row 1; the last one has texels outside of the image.
  const VkImageCopy region{layers(), {4, 4, 0}, layers(), {1, 2, 0}, {6, 4, 1}};
  entry::CmdCopyImage(commands, blocks.handle(), VK_IMAGE_LAYOUT_GENERAL, texels.handle(), VK_IMAGE_LAYOUT_GENERAL, 1,
                      &region);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  std::vector<uint32_t> expected(32);
  for (uint32_t i = 0; i < 4; ++i) expected[(2 * 4 + 1) * 2 + i] = 9 + i;
  EXPECT_EQ(words_of(texels, {4, 4, 1}, layers(), 32), expected);
}

TEST_F(ImageTransfers, DepthAndStencilAreApart) {
  const TestImage image(gpu, {.format = VK_FORMAT_D32_SFLOAT_S8_UINT, .extent = {4, 1, 1}});
  const TestBuffer& depth = buffer(counted(4, 0x3f000000));
  const TestBuffer& stencil = buffer({0x44332211});
  const TestImage other(gpu, {.format = VK_FORMAT_D32_SFLOAT_S8_UINT, .extent = {4, 1, 1}});
  constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  VkCommandBuffer commands = begin();
  upload(commands, depth, image, {0, 0, 0, layers(0, 0, 1, kDepth), {}, {4, 1, 1}});
  upload(commands, stencil, image, {0, 0, 0, layers(0, 0, 1, kStencil), {}, {4, 1, 1}});
  const VkImageCopy region{layers(0, 0, 1, kDepth | kStencil), {}, layers(0, 0, 1, kDepth | kStencil), {}, {4, 1, 1}};
  entry::CmdCopyImage(commands, image.handle(), VK_IMAGE_LAYOUT_GENERAL, other.handle(), VK_IMAGE_LAYOUT_GENERAL, 1,
                      &region);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words_of(other, {4, 1, 1}, layers(0, 0, 1, kDepth), 4), counted(4, 0x3f000000));
  EXPECT_EQ(words_of(other, {4, 1, 1}, layers(0, 0, 1, kStencil), 1), (std::vector<uint32_t>{0x44332211}));

  const VkClearDepthStencilValue value{0.25f, 7};
  const VkImageSubresourceRange range{kStencil, 0, 1, 0, 1};
  VkCommandBuffer clear = begin();
  entry::CmdClearDepthStencilImage(clear, other.handle(), VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
  EXPECT_EQ(run(end(clear)), VK_SUCCESS);
  EXPECT_EQ(words_of(other, {4, 1, 1}, layers(0, 0, 1, kDepth), 4), counted(4, 0x3f000000));
  EXPECT_EQ(words_of(other, {4, 1, 1}, layers(0, 0, 1, kStencil), 1), (std::vector<uint32_t>{0x07070707}));
}

TEST_F(ImageTransfers, ClearsHaveRanges) {
  const TestImage image(gpu, {.extent = {4, 2, 1}, .levels = 2, .layers = 3});
  const VkClearColorValue red{{1, 0, 0, 1}}, half{{0, 0.5f, 0, 0}};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                    VK_REMAINING_ARRAY_LAYERS};
  const VkImageSubresourceRange some{VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1, 2};
  VkCommandBuffer commands = begin();
  entry::CmdClearColorImage(commands, image.handle(), VK_IMAGE_LAYOUT_GENERAL, &red, 1, &all);
  entry::CmdClearColorImage(commands, image.handle(), VK_IMAGE_LAYOUT_GENERAL, &half, 1, &some);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words_of(image, {4, 2, 1}, layers(0, 0, 3), 24), std::vector<uint32_t>(24, 0xff0000ff));
  std::vector<uint32_t> expected(6, 0x00008000);
  expected[0] = expected[1] = 0xff0000ff;
  EXPECT_EQ(words_of(image, {2, 1, 1}, layers(1, 0, 3), 6), expected);
}

TEST_F(ImageTransfers, RegionsAreCutToWhatBothSidesHave) {
  const TestBuffer& from = buffer(counted(4));
  const TestImage image(gpu, {.extent = {4, 4, 1}});
  const VkClearColorValue zero{};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkCommandBuffer commands = begin();
  entry::CmdClearColorImage(commands, image.handle(), VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
  upload(commands, from, image, {0, 0, 0, layers(), {2, 0, 0}, {4, 4, 1}});      // rows of 4: the buffer has one
  upload(commands, from, image, {0, 0, 0, layers(), {-1, 0, 0}, {1, 1, 1}});     // outside
  upload(commands, from, image, {0, 0, 0, layers(), {0, 4, 0}, {1, 1, 1}});      // outside
  upload(commands, from, image, {0, 0, 0, layers(1), {0, 0, 0}, {1, 1, 1}});     // no such level
  upload(commands, from, image, {0, 0, 0, layers(0, 1), {0, 0, 0}, {1, 1, 1}});  // no such layer
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  std::vector<uint32_t> expected(16);
  expected[2] = 1;
  expected[3] = 2;
  EXPECT_EQ(words_of(image, {4, 4, 1}, layers(), 16), expected);
}

TEST_F(ImageTransfers, FreedMemoryIsAFault) {
  const TestBuffer& to = buffer(std::vector<uint32_t>(4));
  TestImage image(gpu, {.extent = {2, 2, 1}});
  VkCommandBuffer commands = begin();
  download(commands, image, to, {0, 0, 0, layers(), {}, {2, 2, 1}});
  image.free_memory();
  EXPECT_EQ(run(end(commands)), VK_ERROR_DEVICE_LOST);
  ASSERT_FALSE(gpu.messages().empty());
  EXPECT_NE(gpu.messages().back().text.find("not mapped any more"), std::string::npos) << gpu.messages().back().text;
}

}  // namespace
}  // namespace spalt::icd::test
