// SPDX-License-Identifier: MIT
#include "graphics_pipeline_info.h"

namespace spalt::bench {
namespace {

constexpr uint32_t kExtent = 1024;

VkPipelineColorBlendAttachmentState blend_of(const spalt_color_target& target, bool dual_source) {
  VkPipelineColorBlendAttachmentState state{};
  state.colorWriteMask = target.write_mask;
  state.blendEnable = target.blend != 0 ? VK_TRUE : VK_FALSE;
  state.srcColorBlendFactor = target.blend_reads_alpha != 0 ? VK_BLEND_FACTOR_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  state.dstColorBlendFactor = dual_source ? VK_BLEND_FACTOR_SRC1_COLOR : VK_BLEND_FACTOR_ONE;
  state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  return state;
}

}  // namespace

GraphicsPipelineInfo::GraphicsPipelineInfo(const spalt_tool::ListedPipeline& pipeline) {
  interfaces_.push_back(read_interface(pipeline.vertex));
  if (!pipeline.fragment.empty()) interfaces_.push_back(read_interface(pipeline.fragment));
  fill_specialization(pipeline);
  const spalt_graphics_state& state = *pipeline.state.get();
  fill_vertex_input(state);
  fill_fixed_functions(state);
  fill_targets(state);
  info_.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info_.pNext = &rendering_;
  info_.stageCount = static_cast<uint32_t>(interfaces_.size());
  info_.pStages = stages_;
  info_.pVertexInputState = &input_;
  info_.pInputAssemblyState = &assembly_;
  info_.pViewportState = &viewports_;
  info_.pRasterizationState = &rasterization_;
  info_.pMultisampleState = &multisample_;
  info_.pDepthStencilState = &depth_stencil_;
  info_.pColorBlendState = &blend_;
}

void GraphicsPipelineInfo::fill_specialization(const spalt_tool::ListedPipeline& pipeline) {
  for (const spalt_specialization_entry& entry : pipeline.specialization) {
    constants_.push_back({entry.constant_id, entry.offset, entry.size});
  }
  specialization_ = {static_cast<uint32_t>(constants_.size()), constants_.data(),
                     pipeline.specialization_data.size() * sizeof(uint32_t), pipeline.specialization_data.data()};
  for (size_t i = 0; i < interfaces_.size(); ++i) {
    stages_[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stages_[i].stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
    stages_[i].pName = interfaces_[i].entry_point.c_str();
    stages_[i].pSpecializationInfo = constants_.empty() ? nullptr : &specialization_;
  }
}

void GraphicsPipelineInfo::fill_vertex_input(const spalt_graphics_state& state) {
  for (size_t i = 0; i < state.vertex_binding_count; ++i) {
    const spalt_vertex_binding& b = state.vertex_bindings[i];
    const bool per_instance = b.per_instance != 0;
    bindings_.push_back(
        {b.binding, b.stride, per_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX});
    if (per_instance && b.divisor != 1) divisors_.push_back({b.binding, b.divisor});
  }
  for (size_t i = 0; i < state.vertex_attribute_count; ++i) {
    const spalt_vertex_attribute& a = state.vertex_attributes[i];
    attributes_.push_back({a.location, a.binding, static_cast<VkFormat>(a.format), a.offset});
  }
  divisor_state_.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT;
  divisor_state_.vertexBindingDivisorCount = static_cast<uint32_t>(divisors_.size());
  divisor_state_.pVertexBindingDivisors = divisors_.data();
  input_.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
  input_.pNext = divisors_.empty() ? nullptr : &divisor_state_;
  input_.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings_.size());
  input_.pVertexBindingDescriptions = bindings_.data();
  input_.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes_.size());
  input_.pVertexAttributeDescriptions = attributes_.data();
}

void GraphicsPipelineInfo::fill_fixed_functions(const spalt_graphics_state& state) {
  assembly_.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly_.topology = static_cast<VkPrimitiveTopology>(state.topology);
  viewport_ = {0, 0, kExtent, kExtent, 0, 1};
  scissor_ = {{0, 0}, {kExtent, kExtent}};
  viewports_.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewports_.viewportCount = 1;
  viewports_.pViewports = &viewport_;
  viewports_.scissorCount = 1;
  viewports_.pScissors = &scissor_;
  rasterization_.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  rasterization_.rasterizerDiscardEnable = state.rasterizer_discard;
  rasterization_.cullMode = VK_CULL_MODE_BACK_BIT;
  rasterization_.lineWidth = 1;
  multisample_.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  multisample_.rasterizationSamples = static_cast<VkSampleCountFlagBits>(state.samples);
  multisample_.sampleShadingEnable = state.min_sample_shading > 0 ? VK_TRUE : VK_FALSE;
  multisample_.minSampleShading = state.min_sample_shading;
  multisample_.alphaToCoverageEnable = state.alpha_to_coverage;
  multisample_.alphaToOneEnable = state.alpha_to_one;
  // Written, so that a depth or stencil value that a shader exports counts.
  depth_stencil_.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  depth_stencil_.depthTestEnable = VK_TRUE;
  depth_stencil_.depthWriteEnable = VK_TRUE;
  depth_stencil_.depthCompareOp = VK_COMPARE_OP_LESS;
  depth_stencil_.stencilTestEnable = VK_TRUE;
  depth_stencil_.front = {
      VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_REPLACE, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 0};
  depth_stencil_.back = depth_stencil_.front;
}

void GraphicsPipelineInfo::fill_targets(const spalt_graphics_state& state) {
  for (size_t i = 0; i < state.color_target_count; ++i) {
    const spalt_color_target& target = state.color_targets[i];
    formats_.push_back(static_cast<VkFormat>(target.format));
    targets_.push_back(blend_of(target, i == 0 && state.dual_source_blend != 0));
  }
  blend_.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend_.attachmentCount = static_cast<uint32_t>(targets_.size());
  blend_.pAttachments = targets_.data();
  rendering_.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
  rendering_.colorAttachmentCount = static_cast<uint32_t>(formats_.size());
  rendering_.pColorAttachmentFormats = formats_.data();
  rendering_.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  rendering_.stencilAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
}

const VkGraphicsPipelineCreateInfo& GraphicsPipelineInfo::with(VkShaderModule vertex, VkShaderModule fragment,
                                                               VkPipelineLayout layout, VkPipelineCreateFlags flags) {
  stages_[0].module = vertex;
  stages_[1].module = fragment;
  info_.layout = layout;
  info_.flags = flags;
  return info_;
}

}  // namespace spalt::bench
