// SPDX-License-Identifier: MIT
#include "icd/shader/pipeline_cache.h"

#include "commands.h"
#include "icd/object/result.h"
#include "icd/shader/cache_blob.h"

namespace spalt::icd {

PipelineCache::PipelineCache(const Device& device, const VkPipelineCacheCreateInfo& info) {
  const std::span blob(static_cast<const std::byte*>(info.pInitialData), info.initialDataSize);
  read_cache_blob(blob, device.physical().properties().core, shaders);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo* pCreateInfo,
                                                          const VkAllocationCallbacks* pAllocator,
                                                          VkPipelineCache* pPipelineCache) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    *pPipelineCache = to_handle(create_child<PipelineCache>(owner, pAllocator, owner, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyPipelineCache(VkDevice device, VkPipelineCache pipelineCache,
                                                       const VkAllocationCallbacks* pAllocator) {
  destroy_child<PipelineCache>(from_handle<Device>(device), pAllocator, pipelineCache);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPipelineCacheData(VkDevice device, VkPipelineCache pipelineCache,
                                                           size_t* pDataSize, void* pData) {
  return guarded([&] {
    const VkPhysicalDeviceProperties& properties = from_handle<Device>(device).physical().properties().core;
    return write_cache_blob(from_handle<PipelineCache>(pipelineCache).shaders, properties, pDataSize, pData);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::MergePipelineCaches(VkDevice, VkPipelineCache dstCache, uint32_t srcCacheCount,
                                                          const VkPipelineCache* pSrcCaches) {
  return guarded([&] {
    ShaderCache& target = from_handle<PipelineCache>(dstCache).shaders;
    for (uint32_t i = 0; i < srcCacheCount; ++i) target.merge(from_handle<PipelineCache>(pSrcCaches[i]).shaders);
    return VK_SUCCESS;
  });
}

}  // namespace spalt::icd
