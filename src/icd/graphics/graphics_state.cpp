// SPDX-License-Identifier: MIT
#include "icd/graphics/graphics_state.h"

#include <iterator>

namespace spalt::icd {
namespace {

using Copy = void (*)(const GraphicsState& from, GraphicsState& to);

/// `part` of a pipeline says what the group is where it is not dynamic, and whether it is.
struct DynamicGroup {
  VkDynamicState state;
  VkGraphicsPipelineLibraryFlagsEXT part;
  Copy copy;
};

constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kVertex = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

template <auto... members>
void copy_raster(const GraphicsState& from, GraphicsState& to) {
  ((to.raster.*members = from.raster.*members), ...);
}

template <auto... members>
void copy_members(const GraphicsState& from, GraphicsState& to) {
  ((to.*members = from.*members), ...);
}

template <auto... members>
void copy_faces(const GraphicsState& from, GraphicsState& to) {
  ((to.raster.stencil_front.*members = from.raster.stencil_front.*members), ...);
  ((to.raster.stencil_back.*members = from.raster.stencil_back.*members), ...);
}

void copy_blend_constants(const GraphicsState& from, GraphicsState& to) {
  std::copy(std::begin(from.raster.blend_constants), std::end(from.raster.blend_constants), to.raster.blend_constants);
}

using Raster = spalt_raster_state;
using Face = spalt_stencil_face;
using State = GraphicsState;

constexpr DynamicGroup kGroups[] = {
    {VK_DYNAMIC_STATE_VIEWPORT, kVertex, copy_members<&State::viewports>},
    {VK_DYNAMIC_STATE_SCISSOR, kVertex, copy_members<&State::scissors>},
    {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, kVertex, copy_members<&State::viewports, &State::viewport_count>},
    {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, kVertex, copy_members<&State::scissors, &State::scissor_count>},
    {VK_DYNAMIC_STATE_LINE_WIDTH, kVertex, copy_raster<&Raster::line_width>},
    {VK_DYNAMIC_STATE_LINE_STIPPLE_EXT, kVertex,
     copy_raster<&Raster::line_stipple_factor, &Raster::line_stipple_pattern>},
    {VK_DYNAMIC_STATE_DEPTH_BIAS, kVertex,
     copy_raster<&Raster::depth_bias_constant, &Raster::depth_bias_clamp, &Raster::depth_bias_slope>},
    {VK_DYNAMIC_STATE_BLEND_CONSTANTS, kOutput, copy_blend_constants},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS, kFragment, copy_raster<&Raster::min_depth_bounds, &Raster::max_depth_bounds>},
    {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, kFragment, copy_faces<&Face::compare_mask>},
    {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, kFragment, copy_faces<&Face::write_mask>},
    {VK_DYNAMIC_STATE_STENCIL_REFERENCE, kFragment, copy_faces<&Face::reference>},
    {VK_DYNAMIC_STATE_STENCIL_OP, kFragment,
     copy_faces<&Face::fail_op, &Face::pass_op, &Face::depth_fail_op, &Face::compare_op>},
    {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, kFragment, copy_raster<&Raster::stencil_test>},
    {VK_DYNAMIC_STATE_CULL_MODE, kVertex, copy_raster<&Raster::cull_mode>},
    {VK_DYNAMIC_STATE_FRONT_FACE, kVertex, copy_raster<&Raster::front_face>},
    {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, kInput, copy_raster<&Raster::topology>},
    {VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, kInput, copy_raster<&Raster::primitive_restart>},
    {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, kVertex, copy_raster<&Raster::rasterizer_discard>},
    {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, kInput, copy_members<&State::strides>},
    {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, kFragment, copy_raster<&Raster::depth_test>},
    {VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, kFragment, copy_raster<&Raster::depth_write>},
    {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, kFragment, copy_raster<&Raster::depth_compare_op>},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, kFragment, copy_raster<&Raster::depth_bounds_test>},
    {VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, kVertex, copy_raster<&Raster::depth_bias>},
    {VK_DYNAMIC_STATE_LOGIC_OP_EXT, kOutput, copy_raster<&Raster::logic_op>},
    {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT, kOutput, copy_members<&State::writes_color>},
};
static_assert(std::size(kGroups) <= kMaxDynamicGroups);

}  // namespace

DynamicGroups dynamic_groups(const VkPipelineDynamicStateCreateInfo* info, VkGraphicsPipelineLibraryFlagsEXT parts) {
  DynamicGroups groups;
  if (info == nullptr) return groups;
  for (uint32_t i = 0; i < info->dynamicStateCount; ++i) {
    for (size_t group = 0; group < std::size(kGroups); ++group) {
      const bool is_ours = (kGroups[group].part & parts) != 0;
      if (is_ours && kGroups[group].state == info->pDynamicStates[i]) groups.set(group);
    }
  }
  return groups;
}

bool is_dynamic(const DynamicGroups& groups, VkDynamicState state) {
  for (size_t group = 0; group < std::size(kGroups); ++group) {
    if (kGroups[group].state == state) return groups.test(group);
  }
  return false;
}

void copy_groups(const DynamicGroups& groups, const GraphicsState& from, GraphicsState& to) {
  for (size_t group = 0; group < std::size(kGroups); ++group) {
    if (groups.test(group)) kGroups[group].copy(from, to);
  }
}

spalt_viewport viewport_of(const VkViewport& viewport) {
  return {viewport.x, viewport.y, viewport.width, viewport.height, viewport.minDepth, viewport.maxDepth};
}

spalt_rect rect_of(const VkRect2D& rect) {
  return {rect.offset.x, rect.offset.y, rect.extent.width, rect.extent.height};
}

}  // namespace spalt::icd
