// SPDX-License-Identifier: MIT
//
// Commands that read or write images. There are none that could be named, so that recording one does nothing.
#include "commands.h"

namespace spalt::icd {

VKAPI_ATTR void VKAPI_CALL entry::CmdBlitImage(VkCommandBuffer, VkImage, VkImageLayout, VkImage, VkImageLayout,
                                               uint32_t, const VkImageBlit*, VkFilter) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdBlitImage2(VkCommandBuffer, const VkBlitImageInfo2*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearAttachments(VkCommandBuffer, uint32_t, const VkClearAttachment*, uint32_t,
                                                      const VkClearRect*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearColorImage(VkCommandBuffer, VkImage, VkImageLayout, const VkClearColorValue*,
                                                     uint32_t, const VkImageSubresourceRange*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearDepthStencilImage(VkCommandBuffer, VkImage, VkImageLayout,
                                                            const VkClearDepthStencilValue*, uint32_t,
                                                            const VkImageSubresourceRange*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyBufferToImage(VkCommandBuffer, VkBuffer, VkImage, VkImageLayout, uint32_t,
                                                       const VkBufferImageCopy*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyBufferToImage2(VkCommandBuffer, const VkCopyBufferToImageInfo2*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImage(VkCommandBuffer, VkImage, VkImageLayout, VkImage, VkImageLayout,
                                               uint32_t, const VkImageCopy*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImage2(VkCommandBuffer, const VkCopyImageInfo2*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImageToBuffer(VkCommandBuffer, VkImage, VkImageLayout, VkBuffer, uint32_t,
                                                       const VkBufferImageCopy*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImageToBuffer2(VkCommandBuffer, const VkCopyImageToBufferInfo2*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdResolveImage(VkCommandBuffer, VkImage, VkImageLayout, VkImage, VkImageLayout,
                                                  uint32_t, const VkImageResolve*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdResolveImage2(VkCommandBuffer, const VkResolveImageInfo2*) {}

}  // namespace spalt::icd
