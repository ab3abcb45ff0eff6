// SPDX-License-Identifier: MIT
//
// Makes one graphics pipeline from its end: the fragment stage, then the vertex stage, which learns from it which
// outputs are read, then the linker. Stages come from the cache, where it has them, or from the compiler. No lock is
// held meanwhile.
//
// Stages of libraries are compiled apart, unless the application wants them optimized together, and when the library is
// made: for a vertex stage that knows no fragment stage it does not matter which one it is linked with. What the code
// depends on besides may be in another library. Then the stage is compiled as a body, and linking adds the piece that
// brings this state, which the device keeps for all pipelines (PieceCache).
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
  Pipeline* build_library(const VkAllocationCallbacks* callbacks);
  ProgramRef make_program();
  ProgramRef make_whole(const GraphicsParts::Stage& vertex, const GraphicsParts::Stage* fragment);
  ProgramRef make_apart(const GraphicsParts::Stage& vertex, const GraphicsParts::Stage* fragment);
  CompiledShaderRef compile_apart(const GraphicsParts::Stage& stage);
  /// nullptr: it is not supported without the whole state.
  CompiledShaderRef compile_body(const GraphicsParts::Stage& stage);
  /// Adds what the linker takes for the stage.
  void add_apart(const GraphicsParts::Stage& stage, std::vector<CompiledShaderRef>& shaders);
  enum class Extent : uint8_t { whole, body };
  /// `library`: where it may be besides, if it is compiled apart. nullptr: see compile_body.
  CompiledShaderRef make_stage(const GraphicsParts::Stage& stage, const spalt_stage_object* next, ShaderCache* library,
                               const GraphicsParts::Stage* previous = nullptr, Extent extent = Extent::whole);
  const PipelineLayoutContents& layout_of(const GraphicsParts::Stage& stage, const ShaderCache* library) const;
  /// nullptr, where `silently`: they do not fit.
  ProgramRef link(const std::vector<CompiledShaderRef>& shaders, const std::string& name, bool silently);

  Device& device_;
  ShaderCache* cache_;
  const VkGraphicsPipelineCreateInfo& info_;
  GraphicsParts parts_;
  std::vector<PipelineStage> stages_;
  bool reads_cache_ = true, used_cache_ = false;
  bool cache_hit_ = true;
};

}  // namespace spalt::icd
