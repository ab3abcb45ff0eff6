// SPDX-License-Identifier: MIT
//
// Makes one compute pipeline: from the cache, where it has the code, or else with the compiler. No lock is held while
// the compiler runs.
#pragma once

#include <optional>

#include "icd/shader/pipeline.h"
#include "icd/shader/shader_cache.h"

namespace spalt::icd {

class PipelineBuilder {
 public:
  /// `cache` may be nullptr. Everything must outlive the builder.
  PipelineBuilder(Device& device, ShaderCache* cache, const VkComputePipelineCreateInfo& info);

  /// Throws VulkanError, also VK_PIPELINE_COMPILE_REQUIRED.
  Pipeline* build(const VkAllocationCallbacks* callbacks);
  /// Whether the code came from the cache.
  bool cache_hit() const { return cache_hit_; }

 private:
  ProgramRef find_cached(const std::optional<CacheKey>& key);
  ProgramRef compile(const std::optional<CacheKey>& key);
  ProgramRef load(CompiledShaderRef shader);
  bool wants_representations() const;

  Device& device_;
  ShaderCache* cache_;
  const VkComputePipelineCreateInfo& info_;
  PipelineLayoutRef layout_;
  CompileRequest request_;
  std::vector<Representation> representations_;
  bool cache_hit_ = false;
};

}  // namespace spalt::icd
