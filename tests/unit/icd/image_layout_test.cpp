// SPDX-License-Identifier: MIT
//
// SPALT_ICD_LAYOUTS: messages about accesses to images in another layout than they declare, and none about programs
// that do it right.
#include <array>
#include <optional>

#include "command_fixture.h"
#include "icd/shader/used_bindings.h"
#include "images.h"

namespace spalt::icd::test {
namespace {

constexpr VkImageLayout kUndefined = VK_IMAGE_LAYOUT_UNDEFINED, kGeneral = VK_IMAGE_LAYOUT_GENERAL,
                        kSource = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        kDestination = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                        kReadOnly = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

constexpr const char* kFill =
    "layout(local_size_x = 4) in; layout(binding = 0, rgba8) uniform writeonly image2D target;"
    "layout(binding = 1, rgba8) uniform readonly image2D unused;"
    "void main() { imageStore(target, ivec2(gl_LocalInvocationID.x, 0), vec4(1)); }";

VkImageSubresourceRange whole(VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT) {
  return {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
}

VkImageMemoryBarrier transition_of(const TestImage& image, VkImageLayout from, VkImageLayout to,
                                   const VkImageSubresourceRange& range) {
  return {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
          nullptr,
          0,
          0,
          from,
          to,
          VK_QUEUE_FAMILY_IGNORED,
          VK_QUEUE_FAMILY_IGNORED,
          image.handle(),
          range};
}

void record_barrier(VkCommandBuffer commands, const VkImageMemoryBarrier& barrier) {
  entry::CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                            nullptr, 0, nullptr, 1, &barrier);
}

void transition(VkCommandBuffer commands, const TestImage& image, VkImageLayout from, VkImageLayout to,
                const VkImageSubresourceRange& range = whole()) {
  record_barrier(commands, transition_of(image, from, to, range));
}

void clear(VkCommandBuffer commands, const TestImage& image, VkImageLayout layout) {
  const VkClearColorValue color{};
  const VkImageSubresourceRange range = whole();
  entry::CmdClearColorImage(commands, image.handle(), layout, &color, 1, &range);
}

VkBufferImageCopy region_of(const VkImageSubresourceLayers& subresource) {
  return {0, 0, 0, subresource, {}, {4, 4, 1}};
}

/// Set before the device is made.
struct ChecksLayouts {
  Environment variable{"SPALT_ICD_LAYOUTS", "1"};
};

class ImageLayoutTest : private ChecksLayouts, public CommandTest {
 protected:
  ImageLayoutTest() : CommandTest({{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME}}) {}

  TestImage& image(ImageOptions options = {}, const char* name = "albedo") {
    options.extent = {8, 8, 1};
    TestImage& made = images_.emplace_back(gpu, options);
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = VK_OBJECT_TYPE_IMAGE;
    info.objectHandle = reinterpret_cast<uint64_t>(made.handle());
    info.pObjectName = name;
    entry::SetDebugUtilsObjectNameEXT(device(), &info);
    return made;
  }
  TestImage& storage_image() {
    ImageOptions options;
    options.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    return image(options);
  }
  /// "" or the texts that came since the last call.
  std::string run_and_listen(VkCommandBuffer commands) {
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    std::string text;
    const std::vector<Message> messages = gpu.messages();
    for (; heard_ < messages.size(); ++heard_) {
      EXPECT_EQ(messages[heard_].id, "spalt-image-layout");
      text += (text.empty() ? "" : "\n") + messages[heard_].text;
    }
    return text;
  }
  Message last() { return gpu.messages().back(); }

  VkImageView view(const TestImage& image) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image.handle();
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImageView made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateImageView(device(), &info, nullptr, &made), VK_SUCCESS);
    at_end([=, this] { entry::DestroyImageView(device(), made, nullptr); });
    return made;
  }
  VkDescriptorSet image_set(const Kernel& kernel) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 2};
    const VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateDescriptorPool(device(), &pool_info, nullptr, &pool), VK_SUCCESS);
    at_end([=, this] { entry::DestroyDescriptorPool(device(), pool, nullptr); });
    const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1,
                                           &kernel.set_layout};
    VkDescriptorSet made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::AllocateDescriptorSets(device(), &info, &made), VK_SUCCESS);
    return made;
  }
  void write(VkDescriptorSet set, uint32_t binding, VkImageView view, VkImageLayout layout) {
    const VkDescriptorImageInfo info{VK_NULL_HANDLE, view, layout};
    const VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set,     binding, 0, 1,
                                     VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,       &info,   nullptr, nullptr};
    entry::UpdateDescriptorSets(device(), 1, &write, 0, nullptr);
  }
  Kernel fill_kernel(VkDescriptorSetLayoutCreateFlags flags = 0) {
    return kernel(kFill, {.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .bindings = 2, .set_flags = flags});
  }

 private:
  std::deque<TestImage> images_;
  size_t heard_ = 0;
};

TEST_F(ImageLayoutTest, ATransferInAnotherLayoutIsTold) {
  ImageOptions options;
  options.levels = 2;
  options.layers = 3;
  const TestImage& albedo = image(options);
  const TestBuffer& texels = buffer(std::vector<uint32_t>(64));
  const VkBufferImageCopy region = region_of(layers(1, 0, 3));
  VkCommandBuffer commands = begin();
  const VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "upload", {}};
  transition(commands, albedo, kUndefined, kDestination);
  entry::CmdBeginDebugUtilsLabelEXT(commands, &label);
  entry::CmdCopyBufferToImage(commands, texels.handle(), albedo.handle(), kDestination, 1, &region);  // right
  entry::CmdCopyBufferToImage(commands, texels.handle(), albedo.handle(), kGeneral, 1, &region);
  entry::CmdEndDebugUtilsLabelEXT(commands);
  EXPECT_EQ(run_and_listen(commands),
            "in \"upload\": vkCmdCopyBufferToImage: image \"albedo\", level 1, layer 0 (and 2 more) is in "
            "VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, but the command says VK_IMAGE_LAYOUT_GENERAL");
  EXPECT_EQ(last().severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  EXPECT_EQ(last().command_labels, std::vector<std::string>{"upload"});
  ASSERT_EQ(last().object_names.size(), 3u);  // image, command buffer, queue
  EXPECT_EQ(last().object_names[0], "albedo");
}

TEST_F(ImageLayoutTest, AFreshImageIsUndefined) {
  const TestImage& albedo = image();
  VkCommandBuffer commands = begin();
  clear(commands, albedo, kGeneral);
  EXPECT_EQ(run_and_listen(commands),
            "vkCmdClearColorImage: image \"albedo\", level 0, layer 0 is in VK_IMAGE_LAYOUT_UNDEFINED, but the command "
            "says VK_IMAGE_LAYOUT_GENERAL");
}

TEST_F(ImageLayoutTest, EveryTransferIsLookedAt) {
  const TestImage &from = image({}, "from"), &to = image({}, "to");
  const TestBuffer& texels = buffer(std::vector<uint32_t>(64));
  const VkBufferImageCopy region = region_of(layers());
  const VkImageCopy copy{layers(), {}, layers(), {}, {4, 4, 1}};
  const VkImageBlit blit{layers(), {{}, {4, 4, 1}}, layers(), {{}, {4, 4, 1}}};
  const VkImageResolve resolve{layers(), {}, layers(), {}, {4, 4, 1}};
  const auto record = [&](VkImageLayout source, VkImageLayout destination) {
    VkCommandBuffer commands = begin();
    entry::CmdCopyImage(commands, from.handle(), source, to.handle(), destination, 1, &copy);
    entry::CmdBlitImage(commands, from.handle(), source, to.handle(), destination, 1, &blit, VK_FILTER_NEAREST);
    entry::CmdResolveImage(commands, from.handle(), source, to.handle(), destination, 1, &resolve);
    entry::CmdCopyImageToBuffer(commands, from.handle(), source, texels.handle(), 1, &region);
    return run_and_listen(commands);
  };
  VkCommandBuffer commands = begin();
  transition(commands, from, kUndefined, kDestination);
  transition(commands, to, kUndefined, kDestination);
  clear(commands, from, kDestination);
  transition(commands, from, kDestination, kSource);
  EXPECT_EQ(run_and_listen(commands), "");
  EXPECT_EQ(record(kSource, kDestination), "");
  const std::string text = record(kGeneral, kReadOnly);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6) << text;
  for (const char* command : {"vkCmdCopyImage:", "vkCmdBlitImage:", "vkCmdResolveImage:", "vkCmdCopyImageToBuffer:"}) {
    EXPECT_NE(text.find(command), std::string::npos) << command << " in " << text;
  }
}

TEST_F(ImageLayoutTest, SubresourcesAreApart) {
  ImageOptions options;
  options.levels = 2;
  options.layers = 2;
  const TestImage& albedo = image(options);
  const TestBuffer& texels = buffer(std::vector<uint32_t>(64));
  VkCommandBuffer commands = begin();
  transition(commands, albedo, kUndefined, kDestination, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1, 1});
  for (const VkImageSubresourceLayers& subresource : {layers(0, 1), layers(0, 0), layers(1, 1)}) {
    const VkBufferImageCopy region = region_of(subresource);
    entry::CmdCopyBufferToImage(commands, texels.handle(), albedo.handle(), kDestination, 1, &region);
  }
  const std::string text = run_and_listen(commands);
  EXPECT_NE(text.find("level 0, layer 0 is"), std::string::npos) << text;
  EXPECT_NE(text.find("level 1, layer 1 is"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST_F(ImageLayoutTest, ATransitionFromAnotherLayoutIsTold) {
  const TestImage& albedo = image();
  VkCommandBuffer commands = begin();
  transition(commands, albedo, kUndefined, kGeneral);
  transition(commands, albedo, kGeneral, kSource);
  transition(commands, albedo, kGeneral, kGeneral);  // no transition
  transition(commands, albedo, kUndefined, kReadOnly);
  EXPECT_EQ(run_and_listen(commands), "");
  commands = begin();
  transition(commands, albedo, kGeneral, kDestination);
  transition(commands, albedo, kDestination, kGeneral);  // right after a wrong one
  EXPECT_EQ(run_and_listen(commands),
            "barrier: image \"albedo\", level 0, layer 0 is in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, but its old "
            "layout is VK_IMAGE_LAYOUT_GENERAL");
}

TEST_F(ImageLayoutTest, TheSecondExecutionMayFindAnotherLayout) {
  const TestImage& albedo = image();
  VkCommandBuffer first = begin();
  transition(first, albedo, kUndefined, kGeneral);
  EXPECT_EQ(run_and_listen(first), "");
  VkCommandBuffer commands = begin();
  transition(commands, albedo, kGeneral, kSource);
  EXPECT_EQ(run_and_listen(commands), "");
  EXPECT_EQ(run(commands), VK_SUCCESS);
  EXPECT_NE(last().text.find("is in VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, but its old layout is"), std::string::npos);
}

TEST_F(ImageLayoutTest, ContentsThatNobodyWroteAreTold) {
  const TestImage& albedo = image();
  const TestBuffer& texels = buffer(std::vector<uint32_t>(64));
  const VkBufferImageCopy region = region_of(layers());
  const auto read = [&](VkCommandBuffer commands) {
    entry::CmdCopyImageToBuffer(commands, albedo.handle(), kSource, texels.handle(), 1, &region);
    return run_and_listen(commands);
  };
  VkCommandBuffer commands = begin();
  transition(commands, albedo, kUndefined, kSource);
  EXPECT_NE(read(commands).find("vkCmdCopyImageToBuffer: image \"albedo\", level 0, layer 0 is read, but nothing"),
            std::string::npos);
  EXPECT_EQ(last().severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
  commands = begin();
  transition(commands, albedo, kSource, kDestination);
  clear(commands, albedo, kDestination);
  transition(commands, albedo, kDestination, kSource);
  EXPECT_EQ(read(commands), "");
  commands = begin();
  transition(commands, albedo, kUndefined, kSource);  // discards them
  EXPECT_NE(read(commands), "");
}

TEST_F(ImageLayoutTest, DepthAndStencilHaveLayoutsOfTheirOwn) {
  ImageOptions options;
  options.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  const TestImage& shadows = image(options, "shadows");
  constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  VkCommandBuffer commands = begin();
  transition(commands, shadows, kUndefined, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
             whole(kDepth | kStencil));
  transition(commands, shadows, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, kSource, whole(kDepth));
  transition(commands, shadows, VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, kGeneral, whole(kStencil));
  EXPECT_EQ(run_and_listen(commands), "");
  commands = begin();
  transition(commands, shadows, kSource, kDestination, whole(kDepth | kStencil));
  EXPECT_EQ(
      run_and_listen(commands),
      "barrier: image \"shadows\", stencil, level 0, layer 0 is in VK_IMAGE_LAYOUT_GENERAL, but its old layout is "
      "VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL");
}

TEST_F(ImageLayoutTest, ADescriptorWithAnotherLayoutIsTold) {
  const Kernel fill = fill_kernel();
  const TestImage &target = storage_image(), &other = storage_image();
  const VkDescriptorSet set = image_set(fill);
  write(set, 0, view(target), kGeneral);
  write(set, 1, view(other), kGeneral);  // undefined, but the shader does not use it
  const auto dispatch = [&](VkCommandBuffer commands, uint32_t groups) {
    bind(commands, fill, set);
    entry::CmdDispatch(commands, groups, 1, 1);
  };
  VkCommandBuffer commands = begin();
  transition(commands, target, kUndefined, kGeneral);
  dispatch(commands, 1);
  const TestBuffer& texels = buffer(std::vector<uint32_t>(64));
  const VkBufferImageCopy region = region_of(layers());
  entry::CmdCopyImageToBuffer(commands, target.handle(), kGeneral, texels.handle(), 1, &region);  // of what it wrote
  transition(commands, target, kGeneral, kReadOnly);
  dispatch(commands, 0);
  EXPECT_EQ(run_and_listen(commands), "");
  EXPECT_EQ(texels.words()[3], 0xffffffff);
  commands = begin();
  dispatch(commands, 1);
  EXPECT_EQ(run_and_listen(commands),
            "compute pipeline, set 0, binding 0: image \"albedo\", level 0, layer 0 is in "
            "VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, but the descriptor says VK_IMAGE_LAYOUT_GENERAL");
}

TEST_F(ImageLayoutTest, CopiedAndPushedDescriptorsAreLookedAt) {
  const Kernel fill = fill_kernel(), pushed = fill_kernel(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const TestImage& target = storage_image();
  const VkDescriptorSet original = image_set(fill), copied = image_set(fill);
  write(original, 1, view(target), kReadOnly);
  const VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, original, 1, 0, copied, 0, 0, 1};
  entry::UpdateDescriptorSets(device(), 0, nullptr, 1, &copy);
  const VkDescriptorImageInfo info{VK_NULL_HANDLE, view(target), kReadOnly};
  const VkWriteDescriptorSet push{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, VK_NULL_HANDLE, 0,      0, 1,
                                  VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,       &info,   nullptr,        nullptr};
  const auto record = [&](VkImageLayout layout, bool pushes) {
    VkCommandBuffer commands = begin();
    transition(commands, target, kUndefined, layout);
    bind(commands, pushes ? pushed : fill, pushes ? VK_NULL_HANDLE : copied);
    if (pushes) {
      entry::CmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pushed.layout, 0, 1, &push);
    }
    entry::CmdDispatch(commands, 1, 1, 1);
    return run_and_listen(commands);
  };
  for (const bool pushes : {false, true}) {
    EXPECT_EQ(record(kReadOnly, pushes), "");
    EXPECT_NE(record(kGeneral, pushes).find("set 0, binding 0"), std::string::npos);
  }
}

TEST_F(ImageLayoutTest, WaitsForEventsMakeTransitions) {
  const TestImage& albedo = image();
  VkEvent event = VK_NULL_HANDLE;
  const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  ASSERT_EQ(entry::CreateEvent(device(), &info, nullptr, &event), VK_SUCCESS);
  at_end([=, this] { entry::DestroyEvent(device(), event, nullptr); });
  const VkImageMemoryBarrier barrier = transition_of(albedo, kUndefined, kGeneral, whole());
  VkCommandBuffer commands = begin();
  entry::CmdSetEvent(commands, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  entry::CmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                       nullptr, 0, nullptr, 1, &barrier);
  clear(commands, albedo, kGeneral);
  EXPECT_EQ(run_and_listen(commands), "");
}

/// Both halves of a transfer name the transition; it happens once.
TEST_F(ImageLayoutTest, TheQueueFamilyThatAcquiresMakesTheTransition) {
  const TestImage& albedo = image();
  VkCommandPool pool = VK_NULL_HANDLE;
  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, 1};
  ASSERT_EQ(entry::CreateCommandPool(device(), &pool_info, nullptr, &pool), VK_SUCCESS);
  at_end([=, this] { entry::DestroyCommandPool(device(), pool, nullptr); });
  VkCommandBuffer acquires = VK_NULL_HANDLE;
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  ASSERT_EQ(entry::AllocateCommandBuffers(device(), &info, &acquires), VK_SUCCESS);

  VkImageMemoryBarrier barrier = transition_of(albedo, kGeneral, kReadOnly, whole());
  barrier.srcQueueFamilyIndex = 0;
  barrier.dstQueueFamilyIndex = 1;
  VkCommandBuffer releases = begin();
  transition(releases, albedo, kUndefined, kGeneral);
  record_barrier(releases, barrier);
  EXPECT_EQ(run_and_listen(releases), "");
  begin(acquires);
  record_barrier(acquires, barrier);
  transition(acquires, albedo, kReadOnly, kSource);
  EXPECT_EQ(run_and_listen(acquires), "");
}

TEST_F(ImageLayoutTest, AnImageThatIsGoneEndsNothing) {
  VkCommandBuffer commands = begin();
  {
    const TestImage gone(gpu, {.extent = {8, 8, 1}});
    transition(commands, gone, kGeneral, kSource);
  }
  EXPECT_EQ(run_and_listen(commands),
            "barrier: an image, level 0, layer 0 is in VK_IMAGE_LAYOUT_UNDEFINED, but its old layout is "
            "VK_IMAGE_LAYOUT_GENERAL");
}

TEST(ImageLayouts, AreNobodysBusinessWithoutTheVariable) {
  TestDevice gpu;
  const TestImage image(gpu, {.extent = {8, 8, 1}});
  const TestCommands commands(gpu);
  transition(commands, image, kGeneral, kSource);
  clear(commands, image, kReadOnly);
  commands.end();
  EXPECT_EQ(submit(gpu.queue(), commands), VK_SUCCESS);
  EXPECT_EQ(entry::QueueWaitIdle(gpu.queue()), VK_SUCCESS);
  EXPECT_TRUE(gpu.messages().empty());
}

TEST(UsedBindings, AreThoseThatCodeNames) {
  const std::vector<uint32_t> words = compile_glsl(kFill);
  EXPECT_EQ(used_bindings(words), (std::vector<UsedBinding>{{0, 0}}));
}

TEST(UsedBindings, AreNoneOfWhatIsNoModule) {
  std::vector<uint32_t> words = compile_glsl(kFill);
  EXPECT_TRUE(used_bindings({}).empty());
  for (size_t size = 0; size < words.size(); ++size) {
    EXPECT_LE(used_bindings(std::span(words).first(size)).size(), 1u) << size;
  }
  const std::array<uint32_t, 5> header{words[0], words[1], words[2], words[3], words[4]};
  std::vector<uint32_t> twice(header.begin(), header.end());
  for (int i = 0; i < 2; ++i) twice.insert(twice.end(), words.begin() + 5, words.end());
  EXPECT_TRUE(used_bindings(twice).empty());  // two entry points
  words[5] = 0;
  EXPECT_TRUE(used_bindings(words).empty());
}

}  // namespace
}  // namespace spalt::icd::test
