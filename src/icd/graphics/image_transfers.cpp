// SPDX-License-Identifier: MIT
//
// Commands about images that presentable ones, the only ones so far, cannot be used with: recording one does nothing.
#include "commands.h"

namespace spalt::icd {

VKAPI_ATTR void VKAPI_CALL entry::CmdBlitImage(VkCommandBuffer, VkImage, VkImageLayout, VkImage, VkImageLayout,
                                               uint32_t, const VkImageBlit*, VkFilter) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdBlitImage2(VkCommandBuffer, const VkBlitImageInfo2*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearAttachments(VkCommandBuffer, uint32_t, const VkClearAttachment*, uint32_t,
                                                      const VkClearRect*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearDepthStencilImage(VkCommandBuffer, VkImage, VkImageLayout,
                                                            const VkClearDepthStencilValue*, uint32_t,
                                                            const VkImageSubresourceRange*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdResolveImage(VkCommandBuffer, VkImage, VkImageLayout, VkImage, VkImageLayout,
                                                  uint32_t, const VkImageResolve*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdResolveImage2(VkCommandBuffer, const VkResolveImageInfo2*) {}

}  // namespace spalt::icd
