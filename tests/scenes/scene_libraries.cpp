// SPDX-License-Identifier: MIT
#include "scene_libraries.h"

#include <vector>

#include "vkrun/vulkan_memory.h"

namespace spalt::scenes {
namespace {

using vkrun::check_vulkan;

constexpr VkGraphicsPipelineLibraryFlagBitsEXT kVertexInput =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagBitsEXT kVertexShader =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagBitsEXT kFragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagBitsEXT kFragmentOutput =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

/// The stages of one part: fragment shaders, or those before.
std::vector<VkPipelineShaderStageCreateInfo> stages_of(const VkGraphicsPipelineCreateInfo& whole,
                                                       VkGraphicsPipelineLibraryFlagsEXT part) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  for (uint32_t i = 0; i < whole.stageCount; ++i) {
    const bool is_fragment = whole.pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    if (part == (is_fragment ? kFragmentShader : kVertexShader)) stages.push_back(whole.pStages[i]);
  }
  return stages;
}

/// A library gets nothing that is not its business.
VkPipeline make_library(VkDevice device, const VkGraphicsPipelineCreateInfo& whole,
                        VkGraphicsPipelineLibraryFlagBitsEXT part, Libraries libraries) {
  VkGraphicsPipelineLibraryCreateInfoEXT library{};
  library.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT;
  // Formats are for the outputs alone.
  VkPipelineRenderingCreateInfo rendering{};
  if (whole.pNext != nullptr) {
    rendering = *static_cast<const VkPipelineRenderingCreateInfo*>(whole.pNext);
    if (part != kFragmentOutput) rendering.colorAttachmentCount = 0;
    library.pNext = &rendering;
  }
  library.flags = part;
  const auto stages = stages_of(whole, part);
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.pNext = &library;
  info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  if (libraries == Libraries::Optimized) info.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
  info.pDynamicState = whole.pDynamicState;
  info.stageCount = static_cast<uint32_t>(stages.size());
  info.pStages = stages.data();
  if (part != kVertexInput) {
    info.renderPass = whole.renderPass;
    info.subpass = whole.subpass;
  }
  if (part == kVertexInput) {
    info.pVertexInputState = whole.pVertexInputState;
    info.pInputAssemblyState = whole.pInputAssemblyState;
  } else if (part == kVertexShader) {
    info.layout = whole.layout;
    info.pViewportState = whole.pViewportState;
    info.pRasterizationState = whole.pRasterizationState;
  } else if (part == kFragmentShader) {
    info.layout = whole.layout;
    info.pMultisampleState = whole.pMultisampleState;
    info.pDepthStencilState = whole.pDepthStencilState;
  } else {
    info.pMultisampleState = whole.pMultisampleState;
    info.pColorBlendState = whole.pColorBlendState;
  }
  VkPipeline made = VK_NULL_HANDLE;
  check_vulkan(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made),
               "vkCreateGraphicsPipelines of a library");
  return made;
}

}  // namespace

VkPipeline make_from_libraries(VkDevice device, const VkGraphicsPipelineCreateInfo& whole, Libraries libraries,
                               std::vector<VkPipeline>& made) {
  std::vector<VkPipeline> parts;
  parts.push_back(make_library(device, whole, kVertexInput, libraries));
  parts.push_back(make_library(device, whole, kVertexShader, libraries));
  if (whole.pRasterizationState->rasterizerDiscardEnable == VK_FALSE) {
    parts.push_back(make_library(device, whole, kFragmentShader, libraries));
    parts.push_back(make_library(device, whole, kFragmentOutput, libraries));
  }
  VkPipelineLibraryCreateInfoKHR list{};
  list.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR;
  list.libraryCount = static_cast<uint32_t>(parts.size());
  list.pLibraries = parts.data();
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.pNext = &list;
  info.layout = whole.layout;
  if (libraries == Libraries::Optimized) info.flags = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
  VkPipeline linked = VK_NULL_HANDLE;
  check_vulkan(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &linked),
               "vkCreateGraphicsPipelines");
  // Lavapipe still uses them.
  made.insert(made.end(), parts.begin(), parts.end());
  made.push_back(linked);
  return linked;
}

}  // namespace spalt::scenes
