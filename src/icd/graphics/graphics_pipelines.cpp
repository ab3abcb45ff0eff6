// SPDX-License-Identifier: MIT
//
// Graphics pipelines are not there: creating them fails.
#include <algorithm>

#include "commands.h"

namespace spalt::icd {

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateGraphicsPipelines(VkDevice, VkPipelineCache, uint32_t createInfoCount,
                                                              const VkGraphicsPipelineCreateInfo*,
                                                              const VkAllocationCallbacks*, VkPipeline* pPipelines) {
  std::fill_n(pPipelines, createInfoCount, VkPipeline{VK_NULL_HANDLE});
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

}  // namespace spalt::icd
