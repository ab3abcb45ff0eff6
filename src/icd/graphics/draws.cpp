// SPDX-License-Identifier: MIT
//
// Draws and their inputs. No queue has graphics, so that recording one does nothing.
#include "commands.h"

namespace spalt::icd {

VKAPI_ATTR void VKAPI_CALL entry::CmdBindIndexBuffer(VkCommandBuffer, VkBuffer, VkDeviceSize, VkIndexType) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdBindVertexBuffers(VkCommandBuffer, uint32_t, uint32_t, const VkBuffer*,
                                                       const VkDeviceSize*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdBindVertexBuffers2(VkCommandBuffer, uint32_t, uint32_t, const VkBuffer*,
                                                        const VkDeviceSize*, const VkDeviceSize*, const VkDeviceSize*) {
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDraw(VkCommandBuffer, uint32_t, uint32_t, uint32_t, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndexed(VkCommandBuffer, uint32_t, uint32_t, uint32_t, int32_t, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndexedIndirect(VkCommandBuffer, VkBuffer, VkDeviceSize, uint32_t, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndexedIndirectCount(VkCommandBuffer, VkBuffer, VkDeviceSize, VkBuffer,
                                                              VkDeviceSize, uint32_t, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndirect(VkCommandBuffer, VkBuffer, VkDeviceSize, uint32_t, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndirectCount(VkCommandBuffer, VkBuffer, VkDeviceSize, VkBuffer, VkDeviceSize,
                                                       uint32_t, uint32_t) {}

}  // namespace spalt::icd
