// SPDX-License-Identifier: MIT
//
// Barriers. Commands execute one after another, so there is nothing to do.
#include "commands.h"
#include "icd/command/execution.h"

namespace spalt::icd {

VKAPI_ATTR void VKAPI_CALL entry::CmdPipelineBarrier(VkCommandBuffer, VkPipelineStageFlags, VkPipelineStageFlags,
                                                     VkDependencyFlags, uint32_t, const VkMemoryBarrier*, uint32_t,
                                                     const VkBufferMemoryBarrier*, uint32_t,
                                                     const VkImageMemoryBarrier*) {}

VKAPI_ATTR void VKAPI_CALL entry::CmdPipelineBarrier2(VkCommandBuffer, const VkDependencyInfo*) {}

}  // namespace spalt::icd
