// SPDX-License-Identifier: MIT
//
// vkCreateGraphicsPipelines: each pipeline of the array by itself, so that one that fails leaves the others.
#include <algorithm>

#include "commands.h"
#include "icd/graphics/graphics_pipeline_builder.h"
#include "icd/object/result.h"
#include "icd/shader/creation_feedback.h"
#include "icd/shader/pipeline_cache.h"

namespace spalt::icd {
namespace {

VkResult create_pipeline(Device& device, ShaderCache* cache, const VkGraphicsPipelineCreateInfo& info,
                         const VkAllocationCallbacks* callbacks, VkPipeline& pipeline) {
  return guarded([&] {
    CreationFeedback feedback(info.pNext);
    GraphicsPipelineBuilder builder(device, cache, info);
    pipeline = to_handle(builder.build(callbacks));
    feedback.finish(builder.cache_hit());
    return VK_SUCCESS;
  });
}

/// An error is worth more than the news that a pipeline must be compiled.
VkResult worse(VkResult first, VkResult second) {
  return first < 0 || second == VK_SUCCESS ? first : second;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateGraphicsPipelines(VkDevice device, VkPipelineCache pipelineCache,
                                                              uint32_t createInfoCount,
                                                              const VkGraphicsPipelineCreateInfo* pCreateInfos,
                                                              const VkAllocationCallbacks* pAllocator,
                                                              VkPipeline* pPipelines) {
  auto* cache = from_nullable<PipelineCache>(pipelineCache);
  std::fill_n(pPipelines, createInfoCount, VkPipeline{VK_NULL_HANDLE});
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < createInfoCount; ++i) {
    const VkGraphicsPipelineCreateInfo& info = pCreateInfos[i];
    const VkResult outcome = create_pipeline(from_handle<Device>(device), cache != nullptr ? &cache->shaders : nullptr,
                                             info, pAllocator, pPipelines[i]);
    result = worse(result, outcome);
    if (outcome != VK_SUCCESS && (info.flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT) != 0) break;
  }
  return result;
}

}  // namespace spalt::icd
