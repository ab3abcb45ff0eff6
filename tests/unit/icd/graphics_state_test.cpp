// SPDX-License-Identifier: MIT
//
// State of draws: what comes from the pipeline and what from commands, and what a device with graphics reports. What is
// expected follows from the words of Vulkan.
#include <gtest/gtest.h>

#include <cstring>

#include "icd/graphics/graphics_contents.h"
#include "icd/object/result.h"
#include "icd/query/query_pool.h"
#include "test_device.h"

namespace spalt::icd::test {
namespace {

/// A pipeline's create info with its parts, for changes.
struct PipelineInfo {
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::vector<VkDynamicState> dynamic_states;
  std::vector<VkFormat> formats;
  std::vector<VkPipelineColorBlendAttachmentState> blends;
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};

  GraphicsContents contents(VkGraphicsPipelineLibraryFlagsEXT parts = kAllParts) {
    input.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings.size());
    input.pVertexBindingDescriptions = bindings.data();
    input.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size());
    input.pVertexAttributeDescriptions = attributes.data();
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    blend.attachmentCount = static_cast<uint32_t>(blends.size());
    blend.pAttachments = blends.data();
    dynamic.dynamicStateCount = static_cast<uint32_t>(dynamic_states.size());
    dynamic.pDynamicStates = dynamic_states.data();
    rendering.colorAttachmentCount = static_cast<uint32_t>(formats.size());
    rendering.pColorAttachmentFormats = formats.data();
    info.pNext = &rendering;
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    return make_graphics_contents(info, parts);
  }
};

TEST(GraphicsState, CommandsSetWhatThePipelineLeavesToThem) {
  PipelineInfo pipeline;
  pipeline.raster.cullMode = VK_CULL_MODE_BACK_BIT;
  pipeline.raster.lineWidth = 2;
  pipeline.depth.front.reference = 5;
  pipeline.depth.front.writeMask = 6;
  pipeline.dynamic_states = {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_STENCIL_REFERENCE,
                             VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT};
  const GraphicsContents contents = pipeline.contents();
  GraphicsState set;
  set.raster.cull_mode = VK_CULL_MODE_FRONT_BIT;
  set.raster.line_width = 7;
  set.raster.stencil_front.reference = 8;
  set.raster.stencil_front.write_mask = 9;
  set.viewport_count = 1;
  set.viewports[0].width = 10;
  GraphicsState merged = contents.state;
  copy_groups(contents.dynamic, set, merged);
  EXPECT_EQ(merged.raster.cull_mode, VK_CULL_MODE_FRONT_BIT);
  EXPECT_EQ(merged.raster.line_width, 2);
  EXPECT_EQ(merged.raster.stencil_front.reference, 8u);
  EXPECT_EQ(merged.raster.stencil_front.write_mask, 6u);
  EXPECT_EQ(merged.viewport_count, 1u);
  EXPECT_EQ(merged.viewports[0].width, 10);
}

TEST(GraphicsState, WithoutFragmentsTheirStateIsNotLookedAt) {
  PipelineInfo pipeline;
  pipeline.raster.rasterizerDiscardEnable = VK_TRUE;
  pipeline.viewport.viewportCount = 1000;
  EXPECT_EQ(pipeline.contents().compiler_state(VK_SHADER_STAGE_VERTEX_BIT).rasterizer_discard, 1u);
  pipeline.dynamic_states = {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE};
  EXPECT_THROW(pipeline.contents(), VulkanError) << "there may be fragments";
}

TEST(GraphicsState, ElementsEndWithTheirLastAttribute) {
  PipelineInfo pipeline;
  pipeline.bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}, {2, 8, VK_VERTEX_INPUT_RATE_INSTANCE}};
  pipeline.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
                         {1, 0, VK_FORMAT_R8G8B8A8_UNORM, 8},
                         {2, 2, VK_FORMAT_R16G16_SINT, 12}};  // in the element after
  GraphicsContents contents = pipeline.contents();
  EXPECT_EQ(contents.binding_count, 3u);
  EXPECT_EQ(contents.element_bytes[0], 12u);
  EXPECT_EQ(contents.element_bytes[2], 8u);
  EXPECT_EQ(contents.bindings[1].per_instance, 1u);
  EXPECT_EQ(contents.bindings[1].divisor, 1u);
  pipeline.dynamic_states = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
  contents = pipeline.contents();
  EXPECT_EQ(contents.bindings[0].stride, 0u) << "the code cannot rely on it";
  EXPECT_EQ(contents.element_bytes[2], 16u);
}

TEST(GraphicsState, TellsTheCompilerWhatBlendingReads) {
  PipelineInfo pipeline;
  pipeline.formats = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_FORMAT_R32_UINT};
  pipeline.blends.resize(3);
  pipeline.blends[0].blendEnable = VK_TRUE;
  pipeline.blends[0].dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  pipeline.blends[0].colorWriteMask = VK_COLOR_COMPONENT_R_BIT;
  pipeline.blends[2].srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;  // not enabled
  GraphicsContents contents = pipeline.contents();
  ASSERT_EQ(contents.color_targets.size(), 3u);
  EXPECT_EQ(contents.color_targets[0].format, static_cast<uint32_t>(VK_FORMAT_R8G8B8A8_UNORM));
  EXPECT_EQ(contents.color_targets[0].write_mask, 1u);
  EXPECT_EQ(contents.color_targets[0].blend_reads_alpha, 1u);
  EXPECT_EQ(contents.color_targets[1].format, 0u);
  EXPECT_EQ(contents.color_targets[2].blend_reads_alpha, 0u);
  EXPECT_EQ(contents.dual_source_blend, 0u);
  pipeline.blends[2].blendEnable = VK_TRUE;
  contents = pipeline.contents();
  EXPECT_EQ(contents.dual_source_blend, 1u);
}

TEST(GraphicsState, RefusesMoreThanThereCanBe) {
  PipelineInfo pipeline;
  pipeline.bindings = {{SPALT_MAX_VERTEX_BINDINGS, 4, VK_VERTEX_INPUT_RATE_VERTEX}};
  EXPECT_THROW(pipeline.contents(), VulkanError);
  pipeline.bindings.clear();
  pipeline.formats.resize(SPALT_MAX_COLOR_TARGETS + 1);
  EXPECT_THROW(pipeline.contents(), VulkanError);
}

constexpr VkGraphicsPipelineLibraryFlagBitsEXT kParts[] = {
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};

TEST(GraphicsState, PartsMakeTheWhole) {
  PipelineInfo pipeline;
  pipeline.bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}};
  pipeline.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
  pipeline.assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  pipeline.assembly.primitiveRestartEnable = VK_TRUE;
  pipeline.raster.polygonMode = VK_POLYGON_MODE_LINE;
  pipeline.raster.cullMode = VK_CULL_MODE_BACK_BIT;
  pipeline.raster.depthClampEnable = VK_TRUE;
  pipeline.raster.depthBiasEnable = VK_TRUE;
  pipeline.raster.depthBiasSlopeFactor = 3;
  pipeline.raster.lineWidth = 2;
  const VkViewport viewport{1, 2, 3, 4, 0, 1};
  const VkRect2D scissor{{5, 6}, {7, 8}};
  pipeline.viewport.viewportCount = pipeline.viewport.scissorCount = 1;
  pipeline.viewport.pViewports = &viewport;
  pipeline.viewport.pScissors = &scissor;
  pipeline.samples.sampleShadingEnable = VK_TRUE;
  pipeline.samples.minSampleShading = 0.5f;
  pipeline.samples.alphaToCoverageEnable = VK_TRUE;
  pipeline.depth.depthTestEnable = pipeline.depth.depthWriteEnable = VK_TRUE;
  pipeline.depth.stencilTestEnable = VK_TRUE;
  pipeline.depth.front.reference = 9;
  pipeline.depth.back.compareMask = 10;
  pipeline.depth.maxDepthBounds = 11;
  pipeline.formats = {VK_FORMAT_R8G8B8A8_UNORM};
  pipeline.blends.resize(1);
  pipeline.blends[0].blendEnable = VK_TRUE;
  pipeline.blends[0].srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
  pipeline.blend.logicOp = VK_LOGIC_OP_XOR;
  pipeline.blend.blendConstants[2] = 12;
  pipeline.dynamic_states = {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_STENCIL_REFERENCE,
                             VK_DYNAMIC_STATE_BLEND_CONSTANTS, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY};
  const GraphicsContents whole = pipeline.contents();
  GraphicsContents merged = pipeline.contents(0);
  EXPECT_TRUE(merged.dynamic.none());
  for (const auto part : kParts) {
    const GraphicsContents contents = pipeline.contents(part);
    EXPECT_EQ(contents.dynamic.count(), 1u) << "each state belongs to one part";
    copy_parts(part, contents, merged);
  }
  EXPECT_EQ(merged.dynamic, whole.dynamic);
  EXPECT_EQ(std::memcmp(&merged.state.raster, &whole.state.raster, sizeof whole.state.raster), 0);
  EXPECT_EQ(merged.state.viewports[0].height, 4);
  EXPECT_EQ(merged.state.scissors[0].x, 5);
  EXPECT_EQ(merged.state.viewport_count, 1u);
  EXPECT_EQ(merged.state.scissor_count, 1u);
  EXPECT_EQ(merged.state.strides, whole.state.strides);
  EXPECT_EQ(merged.state.blends[0].src_color_factor, static_cast<uint32_t>(VK_BLEND_FACTOR_SRC1_ALPHA));
  EXPECT_EQ(merged.element_bytes, whole.element_bytes);
  EXPECT_EQ(merged.binding_count, 1u);
  EXPECT_EQ(merged.attributes.size(), 1u);
  EXPECT_EQ(merged.bindings.size(), 1u);
  EXPECT_EQ(merged.color_targets.size(), 1u);
  EXPECT_EQ(merged.dual_source_blend, 1u);
}

TEST(GraphicsState, PartsLookAtNothingElse) {
  PipelineInfo pipeline;
  pipeline.bindings = {{SPALT_MAX_VERTEX_BINDINGS, 4, VK_VERTEX_INPUT_RATE_VERTEX}};  // refused
  pipeline.viewport.viewportCount = 1000;
  pipeline.raster.rasterizerDiscardEnable = VK_TRUE;
  pipeline.formats.resize(1);
  EXPECT_THROW(pipeline.contents(kParts[0]), VulkanError);
  EXPECT_TRUE(pipeline.contents(kParts[1]).never_rasterizes());
  EXPECT_FALSE(pipeline.contents(kParts[2]).never_rasterizes());
  EXPECT_EQ(pipeline.contents(kParts[3]).color_targets.size(), 1u);
}

TEST(DrawQueries, ValuesAreInTheOrderOfTheirBits) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
  info.queryCount = 2;
  info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
  QueryPool statistics(info);
  WorkCounts counts;
  counts.statistics[kInputVertices] = 3;
  counts.statistics[kClipPrimitives] = 4;
  counts.statistics[kFragmentInvocations] = 5;
  counts.statistics[kComputeInvocations] = 6;
  counts.statistics[kVertexInvocations] = 7;
  counts.samples = 8;
  statistics.write_counts(1, counts);
  EXPECT_EQ(std::vector<uint64_t>(statistics.values(1), statistics.values(1) + 4), (std::vector<uint64_t>{3, 4, 5, 6}));
  EXPECT_FALSE(statistics.is_available(0));
  info.queryType = VK_QUERY_TYPE_OCCLUSION;
  QueryPool occlusion(info);
  occlusion.write_counts(0, counts);
  EXPECT_EQ(*occlusion.values(0), 8u);
}

TEST(GraphicsDevice, IsThereWhereTheVariableSaysSo) {
  const auto flags = [](const TestInstance& instance) {
    VkQueueFamilyProperties families[3];
    uint32_t count = 3;
    entry::GetPhysicalDeviceQueueFamilyProperties(instance.physical(), &count, families);
    return std::pair(families[0].queueFlags, families[1].queueFlags);
  };
  const auto format = [](const TestInstance& instance, VkFormat wanted) {
    VkFormatProperties properties;
    entry::GetPhysicalDeviceFormatProperties(instance.physical(), wanted, &properties);
    return properties;
  };
  const auto samples = [](const TestInstance& instance, VkImageUsageFlags usage) {
    VkImageFormatProperties properties{};
    entry::GetPhysicalDeviceImageFormatProperties(instance.physical(), VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D,
                                                  VK_IMAGE_TILING_OPTIMAL, usage, 0, &properties);
    return properties.sampleCounts;
  };
  {
    const Environment no_graphics("SPALT_ICD_GRAPHICS", "0");
    const TestInstance without;
    EXPECT_EQ(flags(without).first & VK_QUEUE_GRAPHICS_BIT, 0u);
    EXPECT_EQ(samples(without, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT), 0u) << "no such image";
  }
  const TestInstance with;
  EXPECT_NE(flags(with).first & VK_QUEUE_GRAPHICS_BIT, 0u);
  EXPECT_EQ(flags(with).second & VK_QUEUE_GRAPHICS_BIT, 0u);
  EXPECT_EQ(samples(with, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT), 0xfu);
  EXPECT_EQ(samples(with, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_STORAGE_BIT), 0xfu);
  constexpr VkFormatFeatureFlags kColor =
      VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
  // Of the tables of formats that Vulkan demands.
  for (const VkFormat wanted :
       {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_A2B10G10R10_UNORM_PACK32,
        VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_A1R5G5B5_UNORM_PACK16}) {
    EXPECT_EQ(format(with, wanted).optimalTilingFeatures & kColor, kColor) << wanted;
  }
  for (const VkFormat wanted : {VK_FORMAT_R32_UINT, VK_FORMAT_R8_SINT, VK_FORMAT_R32G32B32A32_UINT}) {
    EXPECT_EQ(format(with, wanted).optimalTilingFeatures & kColor, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) << wanted;
  }
  for (const VkFormat wanted : {VK_FORMAT_D16_UNORM, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT}) {
    EXPECT_NE(format(with, wanted).optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT, 0u)
        << wanted;
  }
  for (const VkFormat wanted :
       {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16G16_SFLOAT,
        VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_B8G8R8A8_UNORM}) {
    EXPECT_NE(format(with, wanted).bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT, 0u) << wanted;
  }
}

}  // namespace
}  // namespace spalt::icd::test
