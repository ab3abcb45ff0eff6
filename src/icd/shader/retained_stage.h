// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "icd/shader/shader_cache.h"

namespace spalt::icd {

/// How a stage of a pipeline library is compiled when the library is made.
enum class LibraryCode : uint8_t {
  whole,    ///< the library has all that the code depends on
  body,     ///< pieces bring the rest when the library is linked (PieceCache)
  nothing,  ///< it waits until then
};

/// A stage of a pipeline library: all that a compilation needs of the application's structs, which are gone when the
/// library is linked, and what it was compiled to so far.
class RetainedStage {
 public:
  /// `pipeline_chain` and `flags` are those of the library's create info, `library_layout` its layout.
  RetainedStage(const VkPipelineShaderStageCreateInfo& stage, const void* pipeline_chain, VkPipelineCreateFlags flags,
                PipelineLayoutRef library_layout, LibraryCode library_code);
  RetainedStage(const RetainedStage&) = delete;
  RetainedStage& operator=(const RetainedStage&) = delete;

  /// The same in Vulkan's form; what the pipeline's chain said is in the stage's. Points into this.
  const VkPipelineShaderStageCreateInfo& info() const { return info_; }
  /// Points into this.
  StageModule module() const { return {words_, identifier_, known_}; }
  VkPipelineCreateFlags flags() const { return flags_; }
  const PipelineLayoutRef& layout() const { return layout_; }
  LibraryCode library_code() const { return library_code_; }
  /// Then its code depends on the topology, which no piece brings.
  bool reads_barycentrics() const { return reads_barycentrics_; }
  /// The stage for all states with which it was compiled apart from the rest of a pipeline. Any thread may add to it.
  ShaderCache& compiled() const { return compiled_; }

 private:
  template <typename T>
  void link(T& extension);
  void keep_constants(const VkSpecializationInfo* constants);

  VkPipelineShaderStageCreateInfo info_;
  VkPipelineCreateFlags flags_;
  std::string entry_point_;
  PipelineLayoutRef layout_;
  std::vector<uint32_t> words_;
  ModuleIdentifier identifier_{};
  bool known_ = false;
  const LibraryCode library_code_;
  bool reads_barycentrics_ = false;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup_size_{};
  VkPipelineRobustnessCreateInfoEXT robustness_{};
  std::vector<VkSpecializationMapEntry> constants_;
  std::vector<std::byte> constant_data_;
  VkSpecializationInfo specialization_{};
  mutable ShaderCache compiled_;
};

}  // namespace spalt::icd
