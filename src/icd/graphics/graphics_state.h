// SPDX-License-Identifier: MIT
//
// The state of draws besides what is bound: as a pipeline has it, and as commands set it. Which of it is dynamic a
// pipeline says, group by group.
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <bitset>

#include "spalt/draw.h"
#include "spalt/graphics.h"

namespace spalt::icd {

struct GraphicsState {
  spalt_raster_state raster{};  // without its pointers and what depends on what is rendered to
  std::array<spalt_viewport, SPALT_MAX_VIEWPORTS> viewports{};
  std::array<spalt_rect, SPALT_MAX_VIEWPORTS> scissors{};
  uint32_t viewport_count = 0, scissor_count = 0;
  std::array<spalt_color_blend, SPALT_MAX_COLOR_TARGETS> blends{};
  std::array<bool, SPALT_MAX_COLOR_TARGETS> writes_color{true, true, true, true, true, true, true, true};
  std::array<uint32_t, SPALT_MAX_VERTEX_BINDINGS> strides{};
};

inline constexpr size_t kMaxDynamicGroups = 40;
using DynamicGroups = std::bitset<kMaxDynamicGroups>;

/// The parts of a pipeline that libraries may have by themselves (VK_EXT_graphics_pipeline_library).
inline constexpr VkGraphicsPipelineLibraryFlagsEXT kAllParts =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

/// The groups that these parts of a pipeline leave to commands. States that are not known, or are the business of
/// another part, are ignored.
DynamicGroups dynamic_groups(const VkPipelineDynamicStateCreateInfo* info, VkGraphicsPipelineLibraryFlagsEXT parts);
bool is_dynamic(const DynamicGroups& groups, VkDynamicState state);
/// Copies these groups.
void copy_groups(const DynamicGroups& groups, const GraphicsState& from, GraphicsState& to);

spalt_viewport viewport_of(const VkViewport& viewport);
spalt_rect rect_of(const VkRect2D& rect);

}  // namespace spalt::icd
