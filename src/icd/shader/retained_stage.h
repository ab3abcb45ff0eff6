// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "icd/shader/compile_request.h"

namespace spalt::icd {

/// A stage of a pipeline library: all that a compilation needs of the application's structs, which are gone when the
/// library is linked.
class RetainedStage {
 public:
  /// `pipeline_chain` is the pNext of the pipeline's create info.
  RetainedStage(const VkPipelineShaderStageCreateInfo& stage, const void* pipeline_chain);
  RetainedStage(const RetainedStage&) = delete;
  RetainedStage& operator=(const RetainedStage&) = delete;

  /// The same in Vulkan's form; what the pipeline's chain said is in the stage's. Points into this.
  const VkPipelineShaderStageCreateInfo& info() const { return info_; }
  /// Whether there is a module to compile, not its identifier alone.
  bool has_words() const { return !words_.empty(); }

 private:
  template <typename T>
  void link(T& extension);
  void keep_module(const VkPipelineShaderStageCreateInfo& stage);
  void keep_constants(const VkSpecializationInfo* constants);

  VkPipelineShaderStageCreateInfo info_;
  std::string entry_point_;
  std::vector<uint32_t> words_;
  ModuleIdentifier identifier_{};
  VkShaderModuleCreateInfo module_info_{};
  VkPipelineShaderStageModuleIdentifierCreateInfoEXT identifier_info_{};
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup_size_{};
  VkPipelineRobustnessCreateInfoEXT robustness_{};
  std::vector<VkSpecializationMapEntry> constants_;
  std::vector<std::byte> constant_data_;
  VkSpecializationInfo specialization_{};
};

}  // namespace spalt::icd
