// SPDX-License-Identifier: MIT
#include "icd/shader/retained_stage.h"

#include "icd/object/chain.h"

namespace spalt::icd {

RetainedStage::RetainedStage(const VkPipelineShaderStageCreateInfo& stage, const void* pipeline_chain,
                             VkPipelineCreateFlags flags, PipelineLayoutRef library_layout, LibraryCode library_code)
    : info_(stage),
      flags_(flags),
      entry_point_(stage.pName),
      layout_(std::move(library_layout)),
      library_code_(library_code) {
  const StageModule module = resolve_module(stage);
  words_.assign(module.words.begin(), module.words.end());
  identifier_ = module.identifier;
  known_ = module.known;
  reads_barycentrics_ = module.declares(spv::CapabilityFragmentBarycentricKHR);
  info_.pNext = nullptr;
  info_.module = VK_NULL_HANDLE;
  info_.pName = entry_point_.c_str();
  keep_constants(stage.pSpecializationInfo);
  if (const auto* size = find_in_chain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
          stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO)) {
    subgroup_size_ = *size;
    link(subgroup_size_);
  }
  if (const auto* robustness = find_robustness(stage.pNext, pipeline_chain)) {
    robustness_ = *robustness;
    link(robustness_);
  }
}

template <typename T>
void RetainedStage::link(T& extension) {
  extension.pNext = const_cast<void*>(info_.pNext);
  info_.pNext = &extension;
}

void RetainedStage::keep_constants(const VkSpecializationInfo* constants) {
  info_.pSpecializationInfo = nullptr;
  if (constants == nullptr) return;
  const auto* data = static_cast<const std::byte*>(constants->pData);
  constant_data_.assign(data, data + constants->dataSize);
  constants_.assign(constants->pMapEntries, constants->pMapEntries + constants->mapEntryCount);
  specialization_ = {constants->mapEntryCount, constants_.data(), constant_data_.size(), constant_data_.data()};
  info_.pSpecializationInfo = &specialization_;
}

}  // namespace spalt::icd
