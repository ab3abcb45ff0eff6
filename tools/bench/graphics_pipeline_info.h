// SPDX-License-Identifier: MIT
//
// A graphics pipeline of a list as Vulkan takes it. What its code does not depend on has any valid value.
#pragma once

#include <vulkan/vulkan.h>

#include <vector>

#include "shader_interface.h"
#include "spalt/pipeline_list.h"

namespace spalt::bench {

class GraphicsPipelineInfo {
 public:
  /// Refers to `pipeline`. Throws std::runtime_error for words that it cannot follow.
  explicit GraphicsPipelineInfo(const spalt_tool::ListedPipeline& pipeline);
  GraphicsPipelineInfo(const GraphicsPipelineInfo&) = delete;
  GraphicsPipelineInfo& operator=(const GraphicsPipelineInfo&) = delete;

  /// Of the vertex shader, then of the fragment shader if there is one.
  const std::vector<ShaderInterface>& interfaces() const { return interfaces_; }

  /// Valid until it is called again.
  const VkGraphicsPipelineCreateInfo& with(VkShaderModule vertex, VkShaderModule fragment, VkPipelineLayout layout,
                                           VkPipelineCreateFlags flags);

 private:
  void fill_specialization(const spalt_tool::ListedPipeline& pipeline);
  void fill_vertex_input(const spalt_graphics_state& state);
  void fill_fixed_functions(const spalt_graphics_state& state);
  void fill_targets(const spalt_graphics_state& state);

  std::vector<ShaderInterface> interfaces_;
  std::vector<VkSpecializationMapEntry> constants_;
  VkSpecializationInfo specialization_{};
  VkPipelineShaderStageCreateInfo stages_[2] = {};
  std::vector<VkVertexInputBindingDescription> bindings_;
  std::vector<VkVertexInputBindingDivisorDescriptionEXT> divisors_;
  std::vector<VkVertexInputAttributeDescription> attributes_;
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisor_state_{};
  VkPipelineVertexInputStateCreateInfo input_{};
  VkPipelineInputAssemblyStateCreateInfo assembly_{};
  VkViewport viewport_{};
  VkRect2D scissor_{};
  VkPipelineViewportStateCreateInfo viewports_{};
  VkPipelineRasterizationStateCreateInfo rasterization_{};
  VkPipelineMultisampleStateCreateInfo multisample_{};
  VkPipelineDepthStencilStateCreateInfo depth_stencil_{};
  std::vector<VkPipelineColorBlendAttachmentState> targets_;
  VkPipelineColorBlendStateCreateInfo blend_{};
  std::vector<VkFormat> formats_;
  VkPipelineRenderingCreateInfo rendering_{};
  VkGraphicsPipelineCreateInfo info_{};
};

}  // namespace spalt::bench
