// SPDX-License-Identifier: MIT
//
// Render passes and dynamic rendering without draws: clears, resolves, what each of them reaches. What is expected
// follows from the words of Vulkan.
#include <bit>
#include <cstring>

#include "command_fixture.h"
#include "images.h"

namespace spalt::icd::test {
namespace {

constexpr uint32_t kRed = 0xff0000ff, kGreen = 0xff00ff00, kBlue = 0xffff0000;  // R8G8B8A8
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;

VkClearValue color(float red, float green, float blue) {
  VkClearValue value{};
  value.color = {{red, green, blue, 1}};
  return value;
}

VkRect2D rect(int32_t x, int32_t y, uint32_t width, uint32_t height) {
  return {{x, y}, {width, height}};
}

struct ViewOptions {
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  uint32_t level = 0, layer = 0, layers = 1;
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
};

class RenderingTest : public CommandTest {
 protected:
  VkImageView view(const TestImage& image, const ViewOptions& options = {}) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image.handle();
    info.viewType = options.type;
    info.format = options.format;
    info.subresourceRange = {options.aspect, options.level, 1, options.layer, options.layers};
    VkImageView made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateImageView(device(), &info, nullptr, &made), VK_SUCCESS);
    at_end([this, made] { entry::DestroyImageView(device(), made, nullptr); });
    return made;
  }

  std::vector<uint32_t> words_of(const TestImage& image, VkExtent3D extent, const VkImageSubresourceLayers& layers) {
    const TestBuffer& to = buffer(std::vector<uint32_t>(size_t{extent.width} * extent.height * layers.layerCount));
    VkCommandBuffer commands = begin();
    const VkBufferImageCopy region{0, 0, 0, layers, {}, extent};
    entry::CmdCopyImageToBuffer(commands, image.handle(), kGeneral, to.handle(), 1, &region);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    return values(to);
  }

  VkRenderPass pass(const VkRenderPassCreateInfo2& info) {
    VkRenderPass made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateRenderPass2(device(), &info, nullptr, &made), VK_SUCCESS);
    at_end([this, made] { entry::DestroyRenderPass(device(), made, nullptr); });
    return made;
  }

  VkFramebuffer framebuffer(VkRenderPass pass, const std::vector<VkImageView>& views, VkExtent2D extent,
                            uint32_t layers = 1, VkFramebufferCreateFlags flags = 0) {
    VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, nullptr, flags};
    info.renderPass = pass;
    info.attachmentCount = static_cast<uint32_t>(views.size());
    info.pAttachments = flags == 0 ? views.data() : nullptr;
    info.width = extent.width;
    info.height = extent.height;
    info.layers = layers;
    VkFramebuffer made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateFramebuffer(device(), &info, nullptr, &made), VK_SUCCESS);
    at_end([this, made] { entry::DestroyFramebuffer(device(), made, nullptr); });
    return made;
  }

  static VkRenderingAttachmentInfo attachment(VkImageView view, const VkClearValue& clear,
                                              VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR) {
    VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    info.imageView = view;
    info.imageLayout = kGeneral;
    info.loadOp = load;
    info.clearValue = clear;
    return info;
  }

  static VkRenderingInfo rendering(const VkRect2D& area, const VkRenderingAttachmentInfo& one, uint32_t layers = 1) {
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = area;
    info.layerCount = layers;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &one;
    return info;
  }
};

VkAttachmentDescription2 description(VkAttachmentLoadOp load, VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT,
                                     VkFormat format = VK_FORMAT_R8G8B8A8_UNORM) {
  VkAttachmentDescription2 attachment{VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2};
  attachment.format = format;
  attachment.samples = samples;
  attachment.loadOp = attachment.stencilLoadOp = load;
  attachment.initialLayout = attachment.finalLayout = kGeneral;
  return attachment;
}

VkAttachmentReference2 reference(uint32_t attachment) {
  return {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, attachment, kGeneral, VK_IMAGE_ASPECT_COLOR_BIT};
}

VkRenderPassCreateInfo2 pass_info(const std::vector<VkAttachmentDescription2>& attachments,
                                  const std::vector<VkSubpassDescription2>& subpasses) {
  VkRenderPassCreateInfo2 info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  info.attachmentCount = static_cast<uint32_t>(attachments.size());
  info.pAttachments = attachments.data();
  info.subpassCount = static_cast<uint32_t>(subpasses.size());
  info.pSubpasses = subpasses.data();
  return info;
}

TEST_F(RenderingTest, LoadsClearTheRenderAreaOfAllLayers) {
  const TestImage image(gpu, {.extent = {4, 3, 1}, .layers = 3});
  const VkRenderingAttachmentInfo first = attachment(view(image, {.layers = 3}), color(1, 0, 0));
  const VkRenderingAttachmentInfo second = attachment(view(image, {.layer = 1, .layers = 2}), color(0, 1, 0));
  VkCommandBuffer commands = begin();
  VkRenderingInfo info = rendering(rect(0, 0, 4, 3), first, 3);
  entry::CmdBeginRendering(commands, &info);
  entry::CmdEndRendering(commands);
  info = rendering(rect(1, 1, 2, 100), second, 2);  // cut at the border
  entry::CmdBeginRendering(commands, &info);
  entry::CmdEndRendering(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  std::vector<uint32_t> expected(36, kRed);
  for (const uint32_t layer : {1, 2}) {
    for (const uint32_t y : {1, 2}) {
      for (const uint32_t x : {1, 2}) expected[layer * 12 + y * 4 + x] = kGreen;
    }
  }
  EXPECT_EQ(words_of(image, {4, 3, 1}, layers(0, 0, 3)), expected);
}

TEST_F(RenderingTest, ViewsChooseTheLayersThatAreCleared) {
  const TestImage image(gpu, {.extent = {1, 1, 1}, .layers = 4});
  const VkRenderingAttachmentInfo one = attachment(view(image, {.layers = 4}), color(0, 0, 1));
  VkRenderingInfo info = rendering(rect(0, 0, 1, 1), one);
  info.viewMask = 0b1010;
  VkCommandBuffer commands = begin();
  entry::CmdBeginRendering(commands, &info);
  entry::CmdEndRendering(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words_of(image, {1, 1, 1}, layers(0, 0, 4)), (std::vector<uint32_t>{0, kBlue, 0, kBlue}));
}

TEST_F(RenderingTest, TimestampsOfViewsAreOneForEach) {
  const TestImage image(gpu, {.extent = {1, 1, 1}, .layers = 4});
  const VkRenderingAttachmentInfo one = attachment(view(image, {.layers = 4}), color(0, 0, 1));
  VkRenderingInfo info = rendering(rect(0, 0, 1, 1), one);
  info.viewMask = 0b1010;
  VkQueryPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  pool_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  pool_info.queryCount = 3;
  VkQueryPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateQueryPool(device(), &pool_info, nullptr, &pool), VK_SUCCESS);
  VkCommandBuffer commands = begin();
  entry::CmdResetQueryPool(commands, pool, 0, 3);
  entry::CmdBeginRendering(commands, &info);
  entry::CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, 0);
  entry::CmdEndRendering(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  uint64_t times[3][2]{};
  EXPECT_EQ(entry::GetQueryPoolResults(device(), pool, 0, 3, sizeof(times), times, sizeof(times[0]),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
            VK_NOT_READY);
  EXPECT_EQ(times[0][1], 1u);
  EXPECT_EQ(times[1][1], 1u);
  EXPECT_EQ(times[2][1], 0u);
  EXPECT_GE(times[1][0], times[0][0]);
  entry::DestroyQueryPool(device(), pool, nullptr);
}

TEST_F(RenderingTest, WhatResumesClearsNothing) {
  const TestImage image(gpu, {.extent = {2, 1, 1}});
  const VkRenderingAttachmentInfo one = attachment(view(image), color(1, 0, 0));
  VkRenderingInfo info = rendering(rect(0, 0, 2, 1), one);
  VkCommandBuffer commands = begin();
  info.flags = VK_RENDERING_SUSPENDING_BIT;
  entry::CmdBeginRendering(commands, &info);
  const VkClearAttachment clear{VK_IMAGE_ASPECT_COLOR_BIT, 0, color(0, 1, 0)};
  const VkClearRect left{rect(0, 0, 1, 1), 0, 1};
  entry::CmdClearAttachments(commands, 1, &clear, 1, &left);
  entry::CmdEndRendering(commands);
  info.flags = VK_RENDERING_RESUMING_BIT;
  entry::CmdBeginRendering(commands, &info);
  entry::CmdEndRendering(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words_of(image, {2, 1, 1}, layers()), (std::vector<uint32_t>{kGreen, kRed}));
}

TEST_F(RenderingTest, SecondaryCommandBuffersClearWhatThePrimaryRendersTo) {
  const TestImage image(gpu, {.extent = {2, 1, 1}, .layers = 2});
  const VkRenderingAttachmentInfo one = attachment(view(image, {.layers = 2}), color(1, 0, 0));
  VkCommandBuffer secondary = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkClearAttachment clear{VK_IMAGE_ASPECT_COLOR_BIT, 0, color(0, 0, 1)};
  const VkClearRect right{rect(1, 0, 1, 1), 1, 1};
  entry::CmdClearAttachments(secondary, 1, &clear, 1, &right);
  end(secondary);
  VkRenderingInfo info = rendering(rect(0, 0, 2, 1), one, 2);
  info.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
  VkCommandBuffer commands = begin();
  entry::CmdBeginRendering(commands, &info);
  entry::CmdExecuteCommands(commands, 1, &secondary);
  entry::CmdEndRendering(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words_of(image, {2, 1, 1}, layers(0, 0, 2)), (std::vector<uint32_t>{kRed, kRed, kRed, kBlue}));
}

TEST_F(RenderingTest, DepthSlicesAreLayers) {
  const TestImage image(
      gpu, {.type = VK_IMAGE_TYPE_3D, .extent = {1, 1, 4}, .flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT});
  const VkRenderingAttachmentInfo one = attachment(view(image, {.layer = 1, .layers = 2}), color(0, 1, 0));
  const VkRenderingInfo info = rendering(rect(0, 0, 1, 1), one, 2);
  VkCommandBuffer commands = begin();
  entry::CmdBeginRendering(commands, &info);
  entry::CmdEndRendering(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  const TestBuffer& to = buffer(std::vector<uint32_t>(4));
  commands = begin();
  const VkBufferImageCopy region{0, 0, 0, layers(), {}, {1, 1, 4}};
  entry::CmdCopyImageToBuffer(commands, image.handle(), kGeneral, to.handle(), 1, &region);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(values(to), (std::vector<uint32_t>{0, kGreen, kGreen, 0}));
}

// Each sample is written by a clear of an image with one sample of the same bytes: sample s of a layer is a slice.
class ResolveTest : public RenderingTest {
 protected:
  /// Gives sample s of each texel the word values[s]. Images are linear, and slices follow each other.
  void write_samples(const TestImage& image, const std::vector<uint32_t>& values, VkImageAspectFlags aspect) {
    const VkSubresourceLayout layout = image.layout(aspect);
    void* mapped = nullptr;
    ASSERT_EQ(entry::MapMemory(device(), image.memory(), 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
    for (size_t s = 0; s < values.size(); ++s) {
      std::memcpy(static_cast<std::byte*>(mapped) + layout.offset + s * layout.depthPitch, &values[s], 4);
    }
    entry::UnmapMemory(device(), image.memory());
  }

  uint32_t resolve(const std::vector<uint32_t>& samples, VkFormat format, VkImageAspectFlags aspect,
                   VkResolveModeFlagBits mode) {
    const ImageOptions many{.format = format, .samples = static_cast<VkSampleCountFlagBits>(samples.size())};
    const TestImage from(gpu, many);
    const TestImage to(gpu, {.format = format});
    write_samples(from, samples, aspect);
    VkRenderingAttachmentInfo one =
        attachment(view(from, {.aspect = aspect, .format = format}), {}, VK_ATTACHMENT_LOAD_OP_LOAD);
    one.resolveImageView = view(to, {.aspect = aspect, .format = format});
    one.resolveMode = mode;
    VkRenderingInfo info = rendering(rect(0, 0, 1, 1), one);
    if (aspect != VK_IMAGE_ASPECT_COLOR_BIT) {
      info.colorAttachmentCount = 0;
      (aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? info.pDepthAttachment : info.pStencilAttachment) = &one;
    }
    VkCommandBuffer commands = begin();
    entry::CmdBeginRendering(commands, &info);
    entry::CmdEndRendering(commands);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    return words_of(to, {1, 1, 1}, layers(0, 0, 1, aspect))[0];
  }
};

TEST_F(ResolveTest, ColoursAreAveragedAndIntegersTakeSampleZero) {
  constexpr auto kColor = VK_IMAGE_ASPECT_COLOR_BIT;
  constexpr auto kAverage = VK_RESOLVE_MODE_AVERAGE_BIT;
  EXPECT_EQ(resolve({0x04, 0x08, 0x0c, 0x10}, VK_FORMAT_R8G8B8A8_UNORM, kColor, kAverage), 0x0au);
  EXPECT_EQ(resolve({0x04, 0x08}, VK_FORMAT_R8G8B8A8_UNORM, kColor, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT), 0x04u);
  EXPECT_EQ(resolve({7, 8, 12, 16}, VK_FORMAT_R32_UINT, kColor, kAverage), 7u);
  // Half of the light of white is 188 of 255 in sRGB.
  EXPECT_EQ(resolve({0xff0000ff, 0xff000000}, VK_FORMAT_R8G8B8A8_SRGB, kColor, kAverage), 0xff0000bcu);
}

TEST_F(ResolveTest, DepthTakesTheSampleThatTheModeSays) {
  const auto depth = [&](VkResolveModeFlagBits mode) {
    std::vector<uint32_t> samples;
    for (const float value : {0.5f, 0.25f, 1.0f, -2.0f}) samples.push_back(std::bit_cast<uint32_t>(value));
    return std::bit_cast<float>(resolve(samples, VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, mode));
  };
  EXPECT_EQ(depth(VK_RESOLVE_MODE_SAMPLE_ZERO_BIT), 0.5f);
  EXPECT_EQ(depth(VK_RESOLVE_MODE_MIN_BIT), -2.0f);
  EXPECT_EQ(depth(VK_RESOLVE_MODE_MAX_BIT), 1.0f);
  EXPECT_EQ(depth(VK_RESOLVE_MODE_AVERAGE_BIT), -0.0625f);
}

TEST_F(RenderingTest, SubpassesLoadOnceAndResolveAtTheirEnds) {
  const TestImage many(gpu, {.samples = VK_SAMPLE_COUNT_4_BIT});
  const TestImage one(gpu, {});
  const VkAttachmentReference2 color_use = reference(0), resolve_use = reference(1);
  VkSubpassDescription2 subpass{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color_use;
  VkSubpassDescription2 last = subpass;
  last.pResolveAttachments = &resolve_use;
  const std::vector attachments{description(VK_ATTACHMENT_LOAD_OP_CLEAR, VK_SAMPLE_COUNT_4_BIT),
                                description(VK_ATTACHMENT_LOAD_OP_DONT_CARE)};
  const std::vector subpasses{subpass, last};
  const VkRenderPass made = pass(pass_info(attachments, subpasses));
  const VkFramebuffer target =
      framebuffer(made, {VK_NULL_HANDLE, VK_NULL_HANDLE}, {1, 1}, 1, VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT);
  const VkImageView views[] = {view(many), view(one)};
  const VkRenderPassAttachmentBeginInfo images{VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO, nullptr, 2, views};
  const VkClearValue red = color(1, 0, 0);
  VkRenderPassBeginInfo info{
      VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, &images, made, target, rect(0, 0, 1, 1), 1, &red};
  VkCommandBuffer commands = begin();
  entry::CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  const VkClearAttachment clear{VK_IMAGE_ASPECT_COLOR_BIT, 0, color(0, 1, 0)};
  const VkClearRect all{rect(0, 0, 1, 1), 0, 1};
  entry::CmdClearAttachments(commands, 1, &clear, 1, &all);
  entry::CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);  // does not clear again
  entry::CmdEndRenderPass(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words_of(one, {1, 1, 1}, layers()), (std::vector<uint32_t>{kGreen}));
}

TEST_F(RenderingTest, EachViewOfAPassIsLoadedWhereItIsUsedFirst) {
  const TestImage image(gpu, {.layers = 3});
  const VkAttachmentReference2 use = reference(0);
  VkSubpassDescription2 subpass{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  subpass.viewMask = 0b011;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &use;
  VkSubpassDescription2 second = subpass;
  second.viewMask = 0b110;
  const std::vector attachments{description(VK_ATTACHMENT_LOAD_OP_CLEAR)};
  const std::vector subpasses{subpass, second};
  const VkRenderPass made = pass(pass_info(attachments, subpasses));
  const VkFramebuffer target = framebuffer(made, {view(image, {.layers = 3})}, {1, 1});
  const VkClearValue red = color(1, 0, 0);
  const VkRenderPassBeginInfo info{
      VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, nullptr, made, target, rect(0, 0, 1, 1), 1, &red};
  VkCommandBuffer commands = begin();
  entry::CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  const VkClearAttachment clear{VK_IMAGE_ASPECT_COLOR_BIT, 0, color(0, 1, 0)};
  const VkClearRect all{rect(0, 0, 1, 1), 0, 1};
  entry::CmdClearAttachments(commands, 1, &clear, 1, &all);
  entry::CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  entry::CmdEndRenderPass(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words_of(image, {1, 1, 1}, layers(0, 0, 3)), (std::vector<uint32_t>{kGreen, kGreen, kRed}));
}

TEST_F(RenderingTest, RenderPassesClearDepthAndStencilApart) {
  const VkFormat format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;  // attachments have all aspects of the image
  const TestImage image(gpu, {.format = format, .extent = {4, 1, 1}});
  const VkAttachmentReference use{0, kGeneral};
  VkAttachmentDescription attachment{};
  attachment.format = format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.initialLayout = attachment.finalLayout = kGeneral;
  VkSubpassDescription subpass{};
  subpass.pDepthStencilAttachment = &use;
  VkRenderPassCreateInfo create{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  create.attachmentCount = create.subpassCount = 1;
  create.pAttachments = &attachment;
  create.pSubpasses = &subpass;
  VkRenderPass made = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateRenderPass(device(), &create, nullptr, &made), VK_SUCCESS);
  at_end([this, made] { entry::DestroyRenderPass(device(), made, nullptr); });
  const VkFramebuffer target = framebuffer(made, {view(image, {.aspect = kDepth, .format = format})}, {4, 1});
  VkClearValue value{};
  value.depthStencil = {0.5f, 0x1ab};
  const VkRenderPassBeginInfo info{
      VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, nullptr, made, target, rect(1, 0, 2, 1), 1, &value};
  VkCommandBuffer commands = begin();
  entry::CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  const VkClearAttachment clear{VK_IMAGE_ASPECT_DEPTH_BIT, 0, value};
  const VkClearRect first{rect(0, 0, 1, 1), 0, 1};
  entry::CmdClearAttachments(commands, 1, &clear, 1, &first);
  entry::CmdEndRenderPass(commands);
  EXPECT_EQ(run(end(commands)), VK_SUCCESS);
  EXPECT_EQ(words_of(image, {4, 1, 1}, layers(0, 0, 1, VK_IMAGE_ASPECT_DEPTH_BIT)),
            (std::vector<uint32_t>{std::bit_cast<uint32_t>(0.5f), 0, 0, 0}));
  EXPECT_EQ(words_of(image, {4, 1, 1}, layers(0, 0, 1, VK_IMAGE_ASPECT_STENCIL_BIT))[0], 0x00abab00u);
}

TEST_F(RenderingTest, PassesThatNameMissingAttachmentsAreRefused) {
  const VkAttachmentReference2 use = reference(3);
  VkSubpassDescription2 subpass{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &use;
  const std::vector subpasses{subpass};
  const VkRenderPassCreateInfo2 info = pass_info({}, subpasses);
  VkRenderPass made = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateRenderPass2(device(), &info, nullptr, &made), VK_ERROR_UNKNOWN);
}

}  // namespace
}  // namespace spalt::icd::test
