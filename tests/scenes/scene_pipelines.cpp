// SPDX-License-Identifier: MIT
#include "scene_pipelines.h"

#include <algorithm>

#include "scene_libraries.h"

namespace spalt::scenes {
namespace {

using vkrun::check_vulkan;

VkViewport whole_viewport(const Pass& pass) {
  return {static_cast<float>(pass.area.offset.x),
          static_cast<float>(pass.area.offset.y),
          static_cast<float>(pass.area.extent.width),
          static_cast<float>(pass.area.extent.height),
          0.0f,
          1.0f};
}

std::vector<VkViewport> viewports_of(const Pass& pass, const Pipeline& pipeline) {
  if (!pipeline.viewports.empty()) return pipeline.viewports;
  return std::vector<VkViewport>(std::max<size_t>(1, pipeline.scissors.size()), whole_viewport(pass));
}

std::vector<VkRect2D> scissors_of(const Pass& pass, const Pipeline& pipeline) {
  if (!pipeline.scissors.empty()) return pipeline.scissors;
  return std::vector<VkRect2D>(std::max<size_t>(1, pipeline.viewports.size()), pass.area);
}

/// All the structs of a pipeline, which point at each other.
struct PipelineState {
  PipelineState(const Pass& pass, const Pipeline& desc) : pipeline(desc) {
    fill_vertex_input();
    fill_viewports(pass);
    fill_rasterization();
    fill_multisample(pass);
    fill_blend(pass);
    dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
    dynamic.dynamicStateCount = static_cast<uint32_t>(pipeline.dynamic.size());
    dynamic.pDynamicStates = pipeline.dynamic.data();
  }
  PipelineState(const PipelineState&) = delete;
  PipelineState& operator=(const PipelineState&) = delete;

  void fill_vertex_input() {
    input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    input.vertexBindingDescriptionCount = static_cast<uint32_t>(pipeline.bindings.size());
    input.pVertexBindingDescriptions = pipeline.bindings.data();
    input.vertexAttributeDescriptionCount = static_cast<uint32_t>(pipeline.attributes.size());
    input.pVertexAttributeDescriptions = pipeline.attributes.data();
    divisors.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT;
    divisors.vertexBindingDivisorCount = static_cast<uint32_t>(pipeline.divisors.size());
    divisors.pVertexBindingDivisors = pipeline.divisors.data();
    if (!pipeline.divisors.empty()) input.pNext = &divisors;
  }

  void fill_viewports(const Pass& pass) {
    viewports = viewports_of(pass, pipeline);
    scissors = scissors_of(pass, pipeline);
    viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    viewport.viewportCount = static_cast<uint32_t>(viewports.size());
    viewport.pViewports = viewports.data();
    viewport.scissorCount = static_cast<uint32_t>(scissors.size());
    viewport.pScissors = scissors.data();
  }

  void fill_rasterization() {
    rasterization = pipeline.rasterization;
    const auto chain = [this](auto& state) {
      state.pNext = const_cast<void*>(rasterization.pNext);
      rasterization.pNext = &state;
    };
    if (pipeline.line) {
      line = *pipeline.line;
      chain(line);
    }
    if (pipeline.provoking_last) {
      provoking.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT;
      provoking.provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
      chain(provoking);
    }
    if (pipeline.depth_clip) {
      clip.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT;
      clip.depthClipEnable = *pipeline.depth_clip ? VK_TRUE : VK_FALSE;
      chain(clip);
    }
  }

  void fill_multisample(const Pass& pass) {
    multisample = pipeline.multisample;
    multisample.rasterizationSamples = pass.samples;
    sample_mask = pipeline.sample_mask.value_or(~0u);
    if (pipeline.sample_mask) multisample.pSampleMask = &sample_mask;
  }

  void fill_blend(const Pass& pass) {
    targets = pipeline.targets;
    if (targets.size() == 1) targets.resize(pass.colors.size(), pipeline.targets[0]);
    blend = pipeline.blend;
    blend.attachmentCount = static_cast<uint32_t>(targets.size());
    blend.pAttachments = targets.data();
  }

  const Pipeline& pipeline;
  VkPipelineVertexInputStateCreateInfo input{};
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisors{};
  std::vector<VkViewport> viewports;
  std::vector<VkRect2D> scissors;
  VkPipelineViewportStateCreateInfo viewport{};
  VkPipelineRasterizationStateCreateInfo rasterization{};
  VkPipelineRasterizationLineStateCreateInfoEXT line{};
  VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking{};
  VkPipelineRasterizationDepthClipStateCreateInfoEXT clip{};
  VkPipelineMultisampleStateCreateInfo multisample{};
  VkSampleMask sample_mask = ~0u;
  std::vector<VkPipelineColorBlendAttachmentState> targets;
  VkPipelineColorBlendStateCreateInfo blend{};
  VkPipelineDynamicStateCreateInfo dynamic{};
};

/// Specialization constants, the same for all stages.
struct Specialization {
  explicit Specialization(const vkrun::SpecConstants& constants) {
    for (const auto& [id, value] : constants) {
      entries.push_back({id, static_cast<uint32_t>(data.size() * 4), value.size() * 4});
      data.insert(data.end(), value.begin(), value.end());
    }
    info = {static_cast<uint32_t>(entries.size()), entries.data(), data.size() * 4, data.data()};
  }
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<uint32_t> data;
  VkSpecializationInfo info{};
};

}  // namespace

ScenePipelines::~ScenePipelines() {
  for (VkPipeline pipeline : pipelines_) vkDestroyPipeline(device_.device(), pipeline, nullptr);
  for (const auto& [file, module] : modules_) vkDestroyShaderModule(device_.device(), module, nullptr);
}

VkShaderModule ScenePipelines::module(const std::string& file) {
  const auto [place, is_new] = modules_.try_emplace(file, VK_NULL_HANDLE);
  if (!is_new) return place->second;
  const std::vector<uint32_t>& words = shaders_.at(file);
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = words.size() * 4;
  info.pCode = words.data();
  check_vulkan(vkCreateShaderModule(device_.device(), &info, nullptr, &place->second), "vkCreateShaderModule");
  return place->second;
}

VkPipeline ScenePipelines::make(const Pass& pass, const Draw& draw, const RenderTarget& target,
                                VkPipelineLayout layout) {
  const Pipeline& desc = draw.pipeline;
  const PipelineState state(pass, desc);
  const Specialization specialization(desc.spec);
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  const auto add_stage = [&](const std::string& file, VkShaderStageFlagBits stage) {
    if (file.empty()) return;
    VkPipelineShaderStageCreateInfo& info = stages.emplace_back();
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage = stage;
    info.module = module(file);
    info.pName = "main";
    if (!desc.spec.empty()) info.pSpecializationInfo = &specialization.info;
  };
  add_stage(desc.vertex, VK_SHADER_STAGE_VERTEX_BIT);
  add_stage(desc.geometry, VK_SHADER_STAGE_GEOMETRY_BIT);
  add_stage(desc.fragment, VK_SHADER_STAGE_FRAGMENT_BIT);
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.pNext = target.pipeline_rendering();
  info.stageCount = static_cast<uint32_t>(stages.size());
  info.pStages = stages.data();
  info.pVertexInputState = &state.input;
  info.pInputAssemblyState = &desc.assembly;
  info.pViewportState = &state.viewport;
  info.pRasterizationState = &state.rasterization;
  info.pMultisampleState = &state.multisample;
  info.pDepthStencilState = &desc.depth_stencil;
  info.pColorBlendState = &state.blend;
  info.pDynamicState = &state.dynamic;
  info.layout = layout;
  info.renderPass = target.render_pass();
  info.subpass = target.subpass_of(pass);
  if (libraries_ != Libraries::None) {
    return make_from_libraries(device_.device(), info, libraries_, pipelines_);
  }
  VkPipeline pipeline = VK_NULL_HANDLE;
  check_vulkan(vkCreateGraphicsPipelines(device_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
               "vkCreateGraphicsPipelines");
  return pipelines_.emplace_back(pipeline);
}

namespace {

/// Calls a command for both faces of a stencil state.
template <typename Set>
void set_stencil(const Draw& draw, Set set) {
  set(VK_STENCIL_FACE_FRONT_BIT, draw.pipeline.depth_stencil.front);
  set(VK_STENCIL_FACE_BACK_BIT, draw.pipeline.depth_stencil.back);
}

/// Commands of Vulkan 1.0.
bool record_core_state(VkCommandBuffer commands, VkDynamicState state, const Pass& pass, const Draw& draw) {
  const VkPipelineRasterizationStateCreateInfo& raster = draw.pipeline.rasterization;
  switch (state) {
    case VK_DYNAMIC_STATE_VIEWPORT: {
      const std::vector<VkViewport> viewports = viewports_of(pass, draw.pipeline);
      vkCmdSetViewport(commands, 0, static_cast<uint32_t>(viewports.size()), viewports.data());
      return true;
    }
    case VK_DYNAMIC_STATE_SCISSOR: {
      const std::vector<VkRect2D> scissors = scissors_of(pass, draw.pipeline);
      vkCmdSetScissor(commands, 0, static_cast<uint32_t>(scissors.size()), scissors.data());
      return true;
    }
    case VK_DYNAMIC_STATE_LINE_WIDTH:
      vkCmdSetLineWidth(commands, raster.lineWidth);
      return true;
    case VK_DYNAMIC_STATE_DEPTH_BIAS:
      vkCmdSetDepthBias(commands, raster.depthBiasConstantFactor, raster.depthBiasClamp, raster.depthBiasSlopeFactor);
      return true;
    case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
      vkCmdSetBlendConstants(commands, draw.pipeline.blend.blendConstants);
      return true;
    case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
      set_stencil(draw,
                  [&](auto face, const auto& ops) { vkCmdSetStencilCompareMask(commands, face, ops.compareMask); });
      return true;
    case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
      set_stencil(draw, [&](auto face, const auto& ops) { vkCmdSetStencilWriteMask(commands, face, ops.writeMask); });
      return true;
    case VK_DYNAMIC_STATE_STENCIL_REFERENCE:
      set_stencil(draw, [&](auto face, const auto& ops) { vkCmdSetStencilReference(commands, face, ops.reference); });
      return true;
    default:
      return false;
  }
}

/// Commands of VK_EXT_extended_dynamic_state. Strides are set with the buffers.
void record_extended_state(const SceneDevice& device, VkCommandBuffer commands, VkDynamicState state,
                           const Draw& draw) {
  const Pipeline& pipeline = draw.pipeline;
  const VkPipelineDepthStencilStateCreateInfo& depth = pipeline.depth_stencil;
  switch (state) {
    case VK_DYNAMIC_STATE_CULL_MODE:
      return device.command<PFN_vkCmdSetCullModeEXT>("vkCmdSetCullModeEXT")(commands, pipeline.rasterization.cullMode);
    case VK_DYNAMIC_STATE_FRONT_FACE:
      return device.command<PFN_vkCmdSetFrontFaceEXT>("vkCmdSetFrontFaceEXT")(commands,
                                                                              pipeline.rasterization.frontFace);
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
      return device.command<PFN_vkCmdSetPrimitiveTopologyEXT>("vkCmdSetPrimitiveTopologyEXT")(
          commands, pipeline.assembly.topology);
    case VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE:
      return device.command<PFN_vkCmdSetDepthTestEnableEXT>("vkCmdSetDepthTestEnableEXT")(commands,
                                                                                          depth.depthTestEnable);
    case VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE:
      return device.command<PFN_vkCmdSetDepthWriteEnableEXT>("vkCmdSetDepthWriteEnableEXT")(commands,
                                                                                            depth.depthWriteEnable);
    case VK_DYNAMIC_STATE_DEPTH_COMPARE_OP:
      return device.command<PFN_vkCmdSetDepthCompareOpEXT>("vkCmdSetDepthCompareOpEXT")(commands, depth.depthCompareOp);
    case VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE:
      return device.command<PFN_vkCmdSetStencilTestEnableEXT>("vkCmdSetStencilTestEnableEXT")(commands,
                                                                                              depth.stencilTestEnable);
    case VK_DYNAMIC_STATE_STENCIL_OP: {
      const auto set = device.command<PFN_vkCmdSetStencilOpEXT>("vkCmdSetStencilOpEXT");
      return set_stencil(draw, [&](auto face, const auto& ops) {
        set(commands, face, ops.failOp, ops.passOp, ops.depthFailOp, ops.compareOp);
      });
    }
    default:
      return;
  }
}

}  // namespace

void record_dynamic_state(const SceneDevice& device, VkCommandBuffer commands, const Pass& pass, const Draw& draw) {
  for (const VkDynamicState state : draw.pipeline.dynamic) {
    if (!record_core_state(commands, state, pass, draw)) record_extended_state(device, commands, state, draw);
  }
}

}  // namespace spalt::scenes
