// SPDX-License-Identifier: MIT
//
// Makes one graphics pipeline from its end: the fragment stage, then the vertex stage, which learns from it which
// outputs are read, then the linker. Stages come from the cache, where it has them, or from the compiler. No lock is
// held meanwhile. A library only keeps what it was given.
#pragma once

#include "icd/graphics/graphics_library.h"
#include "icd/shader/pipeline.h"
#include "icd/shader/shader_cache.h"

namespace spalt::icd {

class GraphicsPipelineBuilder {
 public:
  /// `cache` may be nullptr. Everything must outlive the builder. Throws VulkanError.
  GraphicsPipelineBuilder(Device& device, ShaderCache* cache, const VkGraphicsPipelineCreateInfo& info);

  /// Throws VulkanError, also VK_PIPELINE_COMPILE_REQUIRED.
  Pipeline* build(const VkAllocationCallbacks* callbacks);
  /// Whether all stages came from the cache.
  bool cache_hit() const { return cache_hit_; }

 private:
  ProgramRef make_program();
  CompiledShaderRef make_stage(const GraphicsParts::Stage& stage, const spalt_stage_object* next);
  ProgramRef link(const std::vector<CompiledShaderRef>& shaders, const std::string& name);

  Device& device_;
  ShaderCache* cache_;
  const VkGraphicsPipelineCreateInfo& info_;
  GraphicsParts parts_;
  std::vector<PipelineStage> stages_;
  bool reads_cache_ = true, used_cache_ = false;
  bool cache_hit_ = true;
};

}  // namespace spalt::icd
