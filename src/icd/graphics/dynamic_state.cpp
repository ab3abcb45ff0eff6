// SPDX-License-Identifier: MIT
//
// Commands that set state. A pipeline for which it is not dynamic does not look at it.
#include <algorithm>

#include "commands.h"
#include "icd/graphics/graphics_recording.h"

namespace spalt::icd {
namespace {

/// Calls `set(state)` with the state that draws after it see.
template <typename Set>
void change(VkCommandBuffer handle, Set&& set) {
  record(handle, [&](CommandBuffer& commands) { set(graphics_of(commands).draws.change()); });
}

template <typename Set>
void change_raster(VkCommandBuffer handle, Set&& set) {
  change(handle, [&](GraphicsState& state) { set(state.raster); });
}

/// Calls `set(face)` for each of the faces.
template <typename Set>
void change_faces(VkCommandBuffer handle, VkStencilFaceFlags faces, Set&& set) {
  change_raster(handle, [&](spalt_raster_state& raster) {
    if ((faces & VK_STENCIL_FACE_FRONT_BIT) != 0) set(raster.stencil_front);
    if ((faces & VK_STENCIL_FACE_BACK_BIT) != 0) set(raster.stencil_back);
  });
}

uint32_t cut_count(uint32_t first, uint32_t count) {
  return std::min(count, SPALT_MAX_VIEWPORTS - std::min<uint32_t>(first, SPALT_MAX_VIEWPORTS));
}

void set_viewports(GraphicsState& state, uint32_t first, uint32_t count, const VkViewport* viewports) {
  for (uint32_t i = 0; i < cut_count(first, count); ++i) state.viewports[first + i] = viewport_of(viewports[i]);
}

void set_scissors(GraphicsState& state, uint32_t first, uint32_t count, const VkRect2D* scissors) {
  for (uint32_t i = 0; i < cut_count(first, count); ++i) state.scissors[first + i] = rect_of(scissors[i]);
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdSetBlendConstants(VkCommandBuffer commandBuffer, const float* blendConstants) {
  change_raster(commandBuffer,
                [&](spalt_raster_state& raster) { std::copy_n(blendConstants, 4, raster.blend_constants); });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetColorWriteEnableEXT(VkCommandBuffer commandBuffer, uint32_t attachmentCount,
                                                            const VkBool32* pColorWriteEnables) {
  change(commandBuffer, [&](GraphicsState& state) {
    const size_t count = std::min<size_t>(attachmentCount, state.writes_color.size());
    for (size_t i = 0; i < count; ++i) state.writes_color[i] = pColorWriteEnables[i] != VK_FALSE;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetCullMode(VkCommandBuffer commandBuffer, VkCullModeFlags cullMode) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.cull_mode = cullMode; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthBias(VkCommandBuffer commandBuffer, float depthBiasConstantFactor,
                                                  float depthBiasClamp, float depthBiasSlopeFactor) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) {
    raster.depth_bias_constant = depthBiasConstantFactor;
    raster.depth_bias_clamp = depthBiasClamp;
    raster.depth_bias_slope = depthBiasSlopeFactor;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthBiasEnable(VkCommandBuffer commandBuffer, VkBool32 depthBiasEnable) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.depth_bias = depthBiasEnable; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthBounds(VkCommandBuffer commandBuffer, float minDepthBounds,
                                                    float maxDepthBounds) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) {
    raster.min_depth_bounds = minDepthBounds;
    raster.max_depth_bounds = maxDepthBounds;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthBoundsTestEnable(VkCommandBuffer commandBuffer,
                                                              VkBool32 depthBoundsTestEnable) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.depth_bounds_test = depthBoundsTestEnable; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthCompareOp(VkCommandBuffer commandBuffer, VkCompareOp depthCompareOp) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.depth_compare_op = depthCompareOp; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthTestEnable(VkCommandBuffer commandBuffer, VkBool32 depthTestEnable) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.depth_test = depthTestEnable; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthWriteEnable(VkCommandBuffer commandBuffer, VkBool32 depthWriteEnable) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.depth_write = depthWriteEnable; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetFrontFace(VkCommandBuffer commandBuffer, VkFrontFace frontFace) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.front_face = frontFace; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetLineStippleEXT(VkCommandBuffer commandBuffer, uint32_t lineStippleFactor,
                                                       uint16_t lineStipplePattern) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) {
    raster.line_stipple_factor = lineStippleFactor;
    raster.line_stipple_pattern = lineStipplePattern;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetLineWidth(VkCommandBuffer commandBuffer, float lineWidth) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.line_width = lineWidth; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetLogicOpEXT(VkCommandBuffer commandBuffer, VkLogicOp logicOp) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.logic_op = logicOp; });
}

/// There are no patches.
VKAPI_ATTR void VKAPI_CALL entry::CmdSetPatchControlPointsEXT(VkCommandBuffer, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetPrimitiveRestartEnable(VkCommandBuffer commandBuffer,
                                                               VkBool32 primitiveRestartEnable) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.primitive_restart = primitiveRestartEnable; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetPrimitiveTopology(VkCommandBuffer commandBuffer,
                                                          VkPrimitiveTopology primitiveTopology) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.topology = primitiveTopology; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetRasterizerDiscardEnable(VkCommandBuffer commandBuffer,
                                                                VkBool32 rasterizerDiscardEnable) {
  change_raster(commandBuffer,
                [&](spalt_raster_state& raster) { raster.rasterizer_discard = rasterizerDiscardEnable; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetScissor(VkCommandBuffer commandBuffer, uint32_t firstScissor,
                                                uint32_t scissorCount, const VkRect2D* pScissors) {
  change(commandBuffer, [&](GraphicsState& state) { set_scissors(state, firstScissor, scissorCount, pScissors); });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetScissorWithCount(VkCommandBuffer commandBuffer, uint32_t scissorCount,
                                                         const VkRect2D* pScissors) {
  change(commandBuffer, [&](GraphicsState& state) {
    set_scissors(state, 0, scissorCount, pScissors);
    state.scissor_count = cut_count(0, scissorCount);
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilCompareMask(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,
                                                           uint32_t compareMask) {
  change_faces(commandBuffer, faceMask, [&](spalt_stencil_face& face) { face.compare_mask = compareMask; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilOp(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,
                                                  VkStencilOp failOp, VkStencilOp passOp, VkStencilOp depthFailOp,
                                                  VkCompareOp compareOp) {
  change_faces(commandBuffer, faceMask, [&](spalt_stencil_face& face) {
    face.fail_op = failOp;
    face.pass_op = passOp;
    face.depth_fail_op = depthFailOp;
    face.compare_op = compareOp;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilReference(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,
                                                         uint32_t reference) {
  change_faces(commandBuffer, faceMask, [&](spalt_stencil_face& face) { face.reference = reference; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilTestEnable(VkCommandBuffer commandBuffer, VkBool32 stencilTestEnable) {
  change_raster(commandBuffer, [&](spalt_raster_state& raster) { raster.stencil_test = stencilTestEnable; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilWriteMask(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,
                                                         uint32_t writeMask) {
  change_faces(commandBuffer, faceMask, [&](spalt_stencil_face& face) { face.write_mask = writeMask; });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetViewport(VkCommandBuffer commandBuffer, uint32_t firstViewport,
                                                 uint32_t viewportCount, const VkViewport* pViewports) {
  change(commandBuffer, [&](GraphicsState& state) { set_viewports(state, firstViewport, viewportCount, pViewports); });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetViewportWithCount(VkCommandBuffer commandBuffer, uint32_t viewportCount,
                                                          const VkViewport* pViewports) {
  change(commandBuffer, [&](GraphicsState& state) {
    set_viewports(state, 0, viewportCount, pViewports);
    state.viewport_count = cut_count(0, viewportCount);
  });
}

}  // namespace spalt::icd
