// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan.h>

#include <chrono>

namespace spalt::icd {

/// VkPipelineCreationFeedbackCreateInfo of a pipeline with one stage, if `next` has it: what was not finished counts as
/// not valid.
class CreationFeedback {
 public:
  explicit CreationFeedback(const void* next);
  /// The pipeline is there.
  void finish(bool cache_hit);

 private:
  const VkPipelineCreationFeedbackCreateInfo* output_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace spalt::icd
