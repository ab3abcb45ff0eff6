// SPDX-License-Identifier: MIT
//
// Render passes and dynamic rendering are not there: no queue has graphics, and creating what they need fails.
#include "commands.h"

namespace spalt::icd {

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateRenderPass(VkDevice, const VkRenderPassCreateInfo*,
                                                       const VkAllocationCallbacks*, VkRenderPass* pRenderPass) {
  *pRenderPass = VK_NULL_HANDLE;
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateRenderPass2(VkDevice, const VkRenderPassCreateInfo2*,
                                                        const VkAllocationCallbacks*, VkRenderPass* pRenderPass) {
  *pRenderPass = VK_NULL_HANDLE;
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyRenderPass(VkDevice, VkRenderPass, const VkAllocationCallbacks*) {}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateFramebuffer(VkDevice, const VkFramebufferCreateInfo*,
                                                        const VkAllocationCallbacks*, VkFramebuffer* pFramebuffer) {
  *pFramebuffer = VK_NULL_HANDLE;
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyFramebuffer(VkDevice, VkFramebuffer, const VkAllocationCallbacks*) {}

VKAPI_ATTR void VKAPI_CALL entry::GetRenderAreaGranularity(VkDevice, VkRenderPass, VkExtent2D* pGranularity) {
  *pGranularity = {1, 1};
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginRenderPass(VkCommandBuffer, const VkRenderPassBeginInfo*, VkSubpassContents) {
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginRenderPass2(VkCommandBuffer, const VkRenderPassBeginInfo*,
                                                      const VkSubpassBeginInfo*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdNextSubpass(VkCommandBuffer, VkSubpassContents) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdNextSubpass2(VkCommandBuffer, const VkSubpassBeginInfo*, const VkSubpassEndInfo*) {
}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndRenderPass(VkCommandBuffer) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndRenderPass2(VkCommandBuffer, const VkSubpassEndInfo*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearAttachments(VkCommandBuffer, uint32_t, const VkClearAttachment*, uint32_t,
                                                      const VkClearRect*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginRendering(VkCommandBuffer, const VkRenderingInfo*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndRendering(VkCommandBuffer) {}

}  // namespace spalt::icd
