// SPDX-License-Identifier: MIT
//
// State that only draws look at. No queue has graphics, so that recording it does nothing.
#include "commands.h"

namespace spalt::icd {

VKAPI_ATTR void VKAPI_CALL entry::CmdSetBlendConstants(VkCommandBuffer, const float*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetCullMode(VkCommandBuffer, VkCullModeFlags) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthBias(VkCommandBuffer, float, float, float) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthBiasEnable(VkCommandBuffer, VkBool32) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthBounds(VkCommandBuffer, float, float) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthBoundsTestEnable(VkCommandBuffer, VkBool32) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthCompareOp(VkCommandBuffer, VkCompareOp) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthTestEnable(VkCommandBuffer, VkBool32) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDepthWriteEnable(VkCommandBuffer, VkBool32) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetFrontFace(VkCommandBuffer, VkFrontFace) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetLineWidth(VkCommandBuffer, float) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetPrimitiveRestartEnable(VkCommandBuffer, VkBool32) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetPrimitiveTopology(VkCommandBuffer, VkPrimitiveTopology) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetRasterizerDiscardEnable(VkCommandBuffer, VkBool32) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetScissor(VkCommandBuffer, uint32_t, uint32_t, const VkRect2D*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetScissorWithCount(VkCommandBuffer, uint32_t, const VkRect2D*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilCompareMask(VkCommandBuffer, VkStencilFaceFlags, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilOp(VkCommandBuffer, VkStencilFaceFlags, VkStencilOp, VkStencilOp,
                                                  VkStencilOp, VkCompareOp) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilReference(VkCommandBuffer, VkStencilFaceFlags, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilTestEnable(VkCommandBuffer, VkBool32) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetStencilWriteMask(VkCommandBuffer, VkStencilFaceFlags, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetViewport(VkCommandBuffer, uint32_t, uint32_t, const VkViewport*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetViewportWithCount(VkCommandBuffer, uint32_t, const VkViewport*) {}

}  // namespace spalt::icd
