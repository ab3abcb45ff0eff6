// SPDX-License-Identifier: MIT
#pragma once

#include "icd/shader/shader_cache.h"

namespace spalt::icd {

/// Locks itself also where the application says that it does (VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT).
class PipelineCache : public Object {
 public:
  using Handle = VkPipelineCache;
  PipelineCache(const Device& device, const VkPipelineCacheCreateInfo& info);

  ShaderCache shaders;
};

}  // namespace spalt::icd
