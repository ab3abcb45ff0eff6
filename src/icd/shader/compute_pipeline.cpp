// SPDX-License-Identifier: MIT
//
// vkCreateComputePipelines: each pipeline of the array by itself, so that one that fails leaves the others.
#include <algorithm>

#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "icd/shader/creation_feedback.h"
#include "icd/shader/pipeline_builder.h"
#include "icd/shader/pipeline_cache.h"

namespace spalt::icd {
namespace {

VkResult create_pipeline(Device& device, ShaderCache* cache, const VkComputePipelineCreateInfo& info,
                         const VkAllocationCallbacks* callbacks, VkPipeline& pipeline) {
  return guarded([&] {
    CreationFeedback feedback(info.pNext);
    PipelineBuilder builder(device, cache, info);
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

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateComputePipelines(VkDevice device, VkPipelineCache pipelineCache,
                                                             uint32_t createInfoCount,
                                                             const VkComputePipelineCreateInfo* pCreateInfos,
                                                             const VkAllocationCallbacks* pAllocator,
                                                             VkPipeline* pPipelines) {
  auto* cache = from_nullable<PipelineCache>(pipelineCache);
  std::fill_n(pPipelines, createInfoCount, VkPipeline{VK_NULL_HANDLE});
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < createInfoCount; ++i) {
    const VkComputePipelineCreateInfo& info = pCreateInfos[i];
    const VkResult outcome = create_pipeline(from_handle<Device>(device), cache != nullptr ? &cache->shaders : nullptr,
                                             info, pAllocator, pPipelines[i]);
    result = worse(result, outcome);
    if (outcome != VK_SUCCESS && (info.flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT) != 0) break;
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                  const VkAllocationCallbacks* pAllocator) {
  destroy_child<Pipeline>(from_handle<Device>(device), pAllocator, pipeline);
}

}  // namespace spalt::icd
