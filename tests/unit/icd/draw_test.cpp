// SPDX-License-Identifier: MIT
//
// Draws from the command to the texel: what the driver hands to shaders and to the rasterizer. Rasterization itself is
// tested with the emulator, and pictures are compared in tests/scenes.
#include <bit>

#include "command_fixture.h"
#include "images.h"
#include "shader_input/glsl.h"

namespace spalt::icd::test {
namespace {

constexpr uint32_t kBlack = 0xff000000, kRed = 0xff0000ff, kGreen = 0xff00ff00, kBlue = 0xffff0000;  // R8G8B8A8
constexpr uint32_t kSide = 4;

/// A triangle that covers everything, in the colour of the push constants.
constexpr const char* kCoverAll = R"(
  void main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1, 0.5, 1); })";
constexpr const char* kPushedColor = R"(
  layout(push_constant) uniform Push { vec4 color; };
  layout(location = 0) out vec4 result;
  void main() { result = color; })";
/// One pixel for each vertex, a point: x in pixels, colour.
constexpr const char* kPoints = R"(
  layout(location = 0) in float x;
  layout(location = 1) in vec4 color;
  layout(location = 0) out vec4 shown;
  void main() {
    gl_Position = vec4((x + 0.5) / 2 - 1, (gl_InstanceIndex + 0.5) / 2 - 1, 0.5, 1);
    gl_PointSize = 1;
    shown = color;
  })";
constexpr const char* kShown = R"(
  layout(location = 0) in vec4 shown;
  layout(location = 0) out vec4 result;
  void main() { result = shown; })";

class DrawTest : public CommandTest {
 protected:
  VkShaderModule shader(const char* name, const char* text) {
    std::vector<uint32_t> words;
    std::string messages;
    EXPECT_TRUE(shader_input::compile_glsl(name, std::string("#version 450\n") + text, {}, words, messages))
        << messages;
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = words.size() * 4;
    info.pCode = words.data();
    VkShaderModule made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateShaderModule(device(), &info, nullptr, &made), VK_SUCCESS);
    at_end([this, made] { entry::DestroyShaderModule(device(), made, nullptr); });
    return made;
  }

  /// With dynamic viewport and scissor, one colour target. Attributes: as kPoints wants them, in vertices of 8 bytes.
  VkPipeline pipeline(const char* vertex, const char* fragment, VkPrimitiveTopology topology,
                      VkPipelineCache cache = VK_NULL_HANDLE, VkPipelineCreateFlags flags = 0) {
    VkPipelineShaderStageCreateInfo stages[2]{{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO},
                                              {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO}};
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[0].module = shader("test.vert", vertex);
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[1].module = shader("test.frag", fragment);
    stages[0].pName = stages[1].pName = "main";
    const VkVertexInputBindingDescription binding{0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32_SFLOAT, 0},
                                                            {1, 0, VK_FORMAT_R8G8B8A8_UNORM, 4}};
    VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    if (vertex == kPoints) {
      input.vertexBindingDescriptionCount = 1;
      input.pVertexBindingDescriptions = &binding;
      input.vertexAttributeDescriptionCount = 2;
      input.pVertexAttributeDescriptions = attributes;
    }
    VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = topology;
    VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    viewport.viewportCount = viewport.scissorCount = 1;
    VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    raster.lineWidth = 1;
    VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    VkPipelineColorBlendAttachmentState attachment{};
    attachment.colorWriteMask = 0xf;
    VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    blend.attachmentCount = 1;
    blend.pAttachments = &attachment;
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, nullptr, 0, 2,
                                                   states};
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &format;
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering, flags};
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = layout();
    VkPipeline made = VK_NULL_HANDLE;
    created = from_libraries ? create_from_libraries(info, cache, made)
                             : entry::CreateGraphicsPipelines(device(), cache, 1, &info, nullptr, &made);
    at_end([this, made] { entry::DestroyPipeline(device(), made, nullptr); });
    return made;
  }

  /// Two libraries, one made of a library itself. They are gone before the pipeline is used.
  VkResult create_from_libraries(const VkGraphicsPipelineCreateInfo& whole, VkPipelineCache cache, VkPipeline& made) {
    using Flags = VkGraphicsPipelineLibraryFlagsEXT;
    const auto create = [&](Flags own, const std::vector<VkPipeline>& libraries, VkPipelineCreateFlags flags,
                            VkPipeline& result) {
      VkPipelineLibraryCreateInfoKHR list{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, whole.pNext};
      list.libraryCount = static_cast<uint32_t>(libraries.size());
      list.pLibraries = libraries.data();
      VkGraphicsPipelineLibraryCreateInfoEXT parts{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, &list,
                                                   own};
      VkGraphicsPipelineCreateInfo info = whole;
      info.pNext = &parts;
      info.flags = flags;
      const bool has_vertex = (own & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) != 0;
      if (part_layouts[0] != VK_NULL_HANDLE) info.layout = part_layouts[has_vertex ? 0 : 1];
      if (own == 0) {
        info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &list, flags};
        list.pNext = nullptr;
      }
      return entry::CreateGraphicsPipelines(device(), cache, 1, &info, nullptr, &result);
    };
    VkPipeline inputs = VK_NULL_HANDLE, vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
    EXPECT_EQ(create(VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, {},
                     VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, inputs),
              VK_SUCCESS);
    EXPECT_EQ(create(VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT, {inputs},
                     VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, vertex),
              VK_SUCCESS);
    EXPECT_EQ(create(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
                     {}, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, fragment),
              VK_SUCCESS);
    VkPipeline incomplete = VK_NULL_HANDLE;
    EXPECT_EQ(create(0, {fragment}, 0, incomplete), VK_ERROR_FEATURE_NOT_PRESENT) << "no vertex shader";
    const VkResult result = create(0, {vertex, fragment}, whole.flags, made);
    for (const VkPipeline library : {inputs, vertex, fragment}) entry::DestroyPipeline(device(), library, nullptr);
    return result;
  }

  VkPipelineLayout layout() {
    if (layout_ != VK_NULL_HANDLE) return layout_;
    const VkPushConstantRange range{VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    EXPECT_EQ(entry::CreatePipelineLayout(device(), &info, nullptr, &layout_), VK_SUCCESS);
    at_end([this, made = layout_] { entry::DestroyPipelineLayout(device(), made, nullptr); });
    return layout_;
  }

  /// Clears the target to black.
  void begin_rendering(VkCommandBuffer commands) {
    VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view.image = target.handle();
    view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view.format = VK_FORMAT_R8G8B8A8_UNORM;
    view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkRenderingAttachmentInfo color{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    EXPECT_EQ(entry::CreateImageView(device(), &view, nullptr, &color.imageView), VK_SUCCESS);
    at_end([this, made = color.imageView] { entry::DestroyImageView(device(), made, nullptr); });
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.clearValue.color = {{0, 0, 0, 1}};
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = {{0, 0}, {kSide, kSide}};
    info.layerCount = info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    entry::CmdBeginRendering(commands, &info);
    const VkViewport viewport{0, 0, kSide, kSide, 0, 1};
    entry::CmdSetViewport(commands, 0, 1, &viewport);
    entry::CmdSetScissor(commands, 0, 1, &info.renderArea);
  }

  void push_color(VkCommandBuffer commands, float red, float green, float blue) {
    const float color[] = {red, green, blue, 1};
    entry::CmdPushConstants(commands, layout(), VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof color, color);
  }

  static void bind(VkCommandBuffer commands, VkPipeline pipeline) {
    entry::CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  }

  /// Of the target, after the end of rendering.
  std::vector<uint32_t> picture(VkCommandBuffer commands) {
    entry::CmdEndRendering(commands);
    const TestBuffer& to = buffer(std::vector<uint32_t>(kSide * kSide));
    const VkBufferImageCopy region{0, 0, 0, layers(), {}, {kSide, kSide, 1}};
    entry::CmdCopyImageToBuffer(commands, target.handle(), VK_IMAGE_LAYOUT_GENERAL, to.handle(), 1, &region);
    EXPECT_EQ(run(end(commands)), VK_SUCCESS);
    return values(to);
  }

  const TestImage target{gpu, {.extent = {kSide, kSide, 1}}};
  VkResult created = VK_SUCCESS;
  bool from_libraries = false;
  VkPipelineLayout part_layouts[2]{};         // of the vertex and the fragment shader's library, where they differ
  VkPipelineLayout layout_ = VK_NULL_HANDLE;  // of the pipeline
};

std::vector<uint32_t> filled(uint32_t color) {
  return std::vector<uint32_t>(size_t{kSide} * kSide, color);
}

TEST_F(DrawTest, PushConstantsArriveAndChangeBetweenDraws) {
  VkCommandBuffer commands = begin();
  begin_rendering(commands);
  bind(commands, pipeline(kCoverAll, kPushedColor, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST));
  ASSERT_EQ(created, VK_SUCCESS);
  push_color(commands, 1, 0, 0);
  entry::CmdDraw(commands, 3, 1, 0, 0);
  const VkRect2D left{{0, 0}, {kSide / 2, kSide}};
  entry::CmdSetScissor(commands, 0, 1, &left);
  push_color(commands, 0, 1, 0);
  entry::CmdDraw(commands, 3, 1, 0, 0);
  std::vector<uint32_t> expected = filled(kRed);
  for (uint32_t i = 0; i < expected.size(); ++i) {
    if (i % kSide < kSide / 2) expected[i] = kGreen;
  }
  EXPECT_EQ(picture(commands), expected);
}

constexpr uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

TEST_F(DrawTest, VerticesComeFromBuffersAndThroughIndices) {
  const TestBuffer& vertices = buffer({bits(0), kRed, bits(1), kGreen, bits(2), kBlue, bits(3), kRed});
  const TestBuffer& indices = buffer({0x00020001});  // 16 bits: 1, 2
  VkCommandBuffer commands = begin();
  begin_rendering(commands);
  bind(commands, pipeline(kPoints, kShown, VK_PRIMITIVE_TOPOLOGY_POINT_LIST));
  ASSERT_EQ(created, VK_SUCCESS);
  const VkBuffer handle = vertices.handle();
  const VkDeviceSize offset = 8;  // begins with the green one
  entry::CmdBindVertexBuffers(commands, 0, 1, &handle, &offset);
  entry::CmdDraw(commands, 1, 1, 1, 0);  // blue in the first row
  entry::CmdBindIndexBuffer(commands, indices.handle(), 0, VK_INDEX_TYPE_UINT16);
  entry::CmdDrawIndexed(commands, 2, 2, 0, -1, 1);  // green and blue in the second and the third row
  std::vector<uint32_t> expected = filled(kBlack);
  expected[2] = expected[kSide + 2] = expected[2 * kSide + 2] = kBlue;
  expected[kSide + 1] = expected[2 * kSide + 1] = kGreen;
  EXPECT_EQ(picture(commands), expected);
}

TEST_F(DrawTest, CountsMayComeFromBuffers) {
  const TestBuffer& vertices = buffer({bits(0), kRed, bits(1), kGreen, bits(2), kBlue});
  const TestBuffer& draws = buffer({1, 1, 0, 0, 2, 1, 1, 2, 3, 4, 0, 0});  // of the last one nobody asks for
  const TestBuffer& count = buffer({2});
  VkCommandBuffer commands = begin();
  begin_rendering(commands);
  bind(commands, pipeline(kPoints, kShown, VK_PRIMITIVE_TOPOLOGY_POINT_LIST));
  ASSERT_EQ(created, VK_SUCCESS);
  const VkBuffer handle = vertices.handle();
  const VkDeviceSize offset = 0;
  entry::CmdBindVertexBuffers(commands, 0, 1, &handle, &offset);
  entry::CmdDrawIndirectCount(commands, draws.handle(), 0, count.handle(), 0, 3, 16);
  std::vector<uint32_t> expected = filled(kBlack);
  expected[0] = kRed;
  expected[2 * kSide + 1] = kGreen;
  expected[2 * kSide + 2] = kBlue;
  EXPECT_EQ(picture(commands), expected);
}

TEST_F(DrawTest, OcclusionQueriesCountSamples) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_OCCLUSION;
  info.queryCount = 2;
  VkQueryPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreateQueryPool(device(), &info, nullptr, &pool), VK_SUCCESS);
  at_end([this, pool] { entry::DestroyQueryPool(device(), pool, nullptr); });
  VkCommandBuffer commands = begin();
  entry::CmdResetQueryPool(commands, pool, 0, 2);
  begin_rendering(commands);
  bind(commands, pipeline(kCoverAll, kPushedColor, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST));
  ASSERT_EQ(created, VK_SUCCESS);
  push_color(commands, 0, 0, 1);
  const VkRect2D part{{1, 1}, {2, 3}};
  entry::CmdSetScissor(commands, 0, 1, &part);
  entry::CmdBeginQuery(commands, pool, 0, VK_QUERY_CONTROL_PRECISE_BIT);
  entry::CmdDraw(commands, 3, 1, 0, 0);
  entry::CmdEndQuery(commands, pool, 0);
  entry::CmdBeginQuery(commands, pool, 1, 0);
  entry::CmdEndQuery(commands, pool, 1);
  picture(commands);
  uint32_t results[2] = {77, 77};
  EXPECT_EQ(entry::GetQueryPoolResults(device(), pool, 0, 2, sizeof results, results, 4, VK_QUERY_RESULT_WAIT_BIT),
            VK_SUCCESS);
  EXPECT_EQ(results[0], 6u);
  EXPECT_EQ(results[1], 0u);
}

TEST_F(DrawTest, SecondaryCommandBuffersDraw) {
  const VkPipeline made = pipeline(kCoverAll, kPushedColor, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  ASSERT_EQ(created, VK_SUCCESS);
  VkCommandBuffer secondary = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  bind(secondary, made);
  push_color(secondary, 0, 0, 1);
  const VkViewport viewport{0, 0, kSide, kSide, 0, 1};
  const VkRect2D all{{0, 0}, {kSide, kSide}};
  entry::CmdSetViewport(secondary, 0, 1, &viewport);
  entry::CmdSetScissor(secondary, 0, 1, &all);
  entry::CmdDraw(secondary, 3, 1, 0, 0);
  end(secondary);
  VkCommandBuffer commands = begin();
  begin_rendering(commands);
  entry::CmdExecuteCommands(commands, 1, &secondary);
  EXPECT_EQ(picture(commands), filled(kBlue));
}

TEST_F(DrawTest, StagesComeFromTheCache) {
  const VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache cache = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreatePipelineCache(device(), &info, nullptr, &cache), VK_SUCCESS);
  at_end([this, cache] { entry::DestroyPipelineCache(device(), cache, nullptr); });
  constexpr VkPipelineCreateFlags kCached = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  const auto topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  pipeline(kCoverAll, kPushedColor, topology, cache, kCached);
  EXPECT_EQ(created, VK_PIPELINE_COMPILE_REQUIRED);
  pipeline(kCoverAll, kPushedColor, topology, cache);
  EXPECT_EQ(created, VK_SUCCESS);
  const VkPipeline cached = pipeline(kCoverAll, kPushedColor, topology, cache, kCached);
  ASSERT_EQ(created, VK_SUCCESS);
  VkCommandBuffer commands = begin();
  begin_rendering(commands);
  bind(commands, cached);
  push_color(commands, 0, 1, 0);
  entry::CmdDraw(commands, 3, 1, 0, 0);
  EXPECT_EQ(picture(commands), filled(kGreen));
}

TEST_F(DrawTest, LibrariesAreLinkedToPipelines) {
  from_libraries = true;
  const VkPipeline points = pipeline(kPoints, kShown, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  ASSERT_EQ(created, VK_SUCCESS);
  const VkPipeline all = pipeline(kCoverAll, kPushedColor, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  ASSERT_EQ(created, VK_SUCCESS);
  const TestBuffer& vertices = buffer({std::bit_cast<uint32_t>(2.0f), kGreen});
  const VkBuffer handle = vertices.handle();
  const VkDeviceSize offset = 0;
  VkCommandBuffer commands = begin();
  begin_rendering(commands);
  bind(commands, all);
  push_color(commands, 1, 0, 0);
  entry::CmdDraw(commands, 3, 1, 0, 0);
  bind(commands, points);
  entry::CmdBindVertexBuffers(commands, 0, 1, &handle, &offset);
  entry::CmdDraw(commands, 1, 1, 0, 0);
  std::vector<uint32_t> expected = filled(kRed);
  expected[2] = kGreen;
  EXPECT_EQ(picture(commands), expected);
}

TEST_F(DrawTest, LibrariesKnowTheirOwnSetsAlone) {
  constexpr const char* kScaled = R"(
    layout(set = 0, binding = 0) readonly buffer Scale { float scale; };
    void main() { gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * scale - 1, 0.5, 1); })";
  constexpr const char* kStored = R"(
    layout(set = 1, binding = 0) readonly buffer Color { vec4 color; };
    layout(location = 0) out vec4 result;
    void main() { result = color; })";
  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL_GRAPHICS};
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 1;
  set_info.pBindings = &binding;
  Kernel sets;
  ASSERT_EQ(entry::CreateDescriptorSetLayout(device(), &set_info, nullptr, &sets.set_layout), VK_SUCCESS);
  at_end([this, made = sets.set_layout] { entry::DestroyDescriptorSetLayout(device(), made, nullptr); });
  const auto independent = [&](VkDescriptorSetLayout first, VkDescriptorSetLayout second) {
    const VkDescriptorSetLayout both[] = {first, second};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
    info.setLayoutCount = 2;
    info.pSetLayouts = both;
    VkPipelineLayout made = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreatePipelineLayout(device(), &info, nullptr, &made), VK_SUCCESS);
    at_end([this, made] { entry::DestroyPipelineLayout(device(), made, nullptr); });
    return made;
  };
  from_libraries = true;
  part_layouts[0] = independent(sets.set_layout, VK_NULL_HANDLE);
  part_layouts[1] = independent(VK_NULL_HANDLE, sets.set_layout);
  layout_ = independent(sets.set_layout, sets.set_layout);
  const TestBuffer& scale = buffer({bits(4)});
  const TestBuffer& color = buffer({bits(0), bits(1), bits(0), bits(1)});
  const VkDescriptorSet bound[] = {set(sets, {&scale}), set(sets, {&color})};
  for (const VkPipelineCreateFlags flags : {0, int{VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT}}) {
    const VkPipeline linked = pipeline(kScaled, kStored, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_NULL_HANDLE, flags);
    ASSERT_EQ(created, VK_SUCCESS);
    VkCommandBuffer commands = begin();
    begin_rendering(commands);
    bind(commands, linked);
    entry::CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 2, bound, 0, nullptr);
    entry::CmdDraw(commands, 3, 1, 0, 0);
    EXPECT_EQ(picture(commands), filled(kGreen)) << flags;
  }
}

TEST_F(DrawTest, LinkingCompilesNothingThatLibrariesKnowAllOf) {
  from_libraries = true;
  constexpr VkPipelineCreateFlags kNoCompiler = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  const auto topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  const VkPipeline linked = pipeline(kCoverAll, kPushedColor, topology, VK_NULL_HANDLE, kNoCompiler);
  ASSERT_EQ(created, VK_SUCCESS);
  VkCommandBuffer commands = begin();
  begin_rendering(commands);
  bind(commands, linked);
  push_color(commands, 0, 0, 1);
  entry::CmdDraw(commands, 3, 1, 0, 0);
  EXPECT_EQ(picture(commands), filled(kBlue));
  pipeline(kCoverAll, kPushedColor, topology, VK_NULL_HANDLE,
           kNoCompiler | VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT);
  EXPECT_EQ(created, VK_PIPELINE_COMPILE_REQUIRED);
}

TEST_F(DrawTest, StagesThatDoNotFitApartAreCompiledTogether) {
  from_libraries = true;
  // The vertex stage of the library does not count primitives.
  constexpr const char* kPrimitive = R"(
    layout(location = 0) out vec4 result;
    void main() { result = gl_PrimitiveID == 1 ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); })";
  const VkPipeline linked = pipeline(kCoverAll, kPrimitive, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  ASSERT_EQ(created, VK_SUCCESS);
  VkCommandBuffer commands = begin();
  begin_rendering(commands);
  bind(commands, linked);
  entry::CmdDraw(commands, 6, 1, 0, 0);
  EXPECT_EQ(picture(commands), filled(kRed)) << "the second primitive covers nothing";
}

TEST_F(DrawTest, LinkingKeepsTheRulesOfCaches) {
  from_libraries = true;
  const VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache cache = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreatePipelineCache(device(), &info, nullptr, &cache), VK_SUCCESS);
  at_end([this, cache] { entry::DestroyPipelineCache(device(), cache, nullptr); });
  constexpr VkPipelineCreateFlags kOptimized = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
  constexpr VkPipelineCreateFlags kCached = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT | kOptimized;
  const auto topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  pipeline(kCoverAll, kPushedColor, topology, cache, kCached);
  EXPECT_EQ(created, VK_PIPELINE_COMPILE_REQUIRED);
  pipeline(kCoverAll, kPushedColor, topology, cache, kOptimized);
  EXPECT_EQ(created, VK_SUCCESS);
  from_libraries = false;
  pipeline(kCoverAll, kPushedColor, topology, cache, kCached);
  EXPECT_EQ(created, VK_SUCCESS) << "the same code, wherever the parts come from";
}

TEST_F(DrawTest, EachStageIsAnExecutable) {
  const VkPipeline made = pipeline(kCoverAll, kPushedColor, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  ASSERT_EQ(created, VK_SUCCESS);
  const VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, made};
  VkPipelineExecutablePropertiesKHR executables[2]{{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR},
                                                   {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR}};
  uint32_t count = 2;
  EXPECT_EQ(entry::GetPipelineExecutablePropertiesKHR(device(), &info, &count, executables), VK_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(executables[0].stages, static_cast<VkShaderStageFlags>(VK_SHADER_STAGE_VERTEX_BIT));
  EXPECT_EQ(executables[1].stages, static_cast<VkShaderStageFlags>(VK_SHADER_STAGE_FRAGMENT_BIT));
}

}  // namespace
}  // namespace spalt::icd::test
