// SPDX-License-Identifier: MIT
#include "icd/shader/creation_feedback.h"

#include <algorithm>

#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

void write_all(const VkPipelineCreationFeedbackCreateInfo& output, const VkPipelineCreationFeedback& feedback) {
  *output.pPipelineCreationFeedback = feedback;
  std::fill_n(output.pPipelineStageCreationFeedbacks, output.pipelineStageCreationFeedbackCount, feedback);
}

}  // namespace

CreationFeedback::CreationFeedback(const void* next)
    : output_(find_in_chain<VkPipelineCreationFeedbackCreateInfo>(
          next, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO)),
      begin_(std::chrono::steady_clock::now()) {
  if (output_ != nullptr) write_all(*output_, {});
}

void CreationFeedback::finish(bool cache_hit) {
  if (output_ == nullptr) return;
  const auto duration = std::chrono::steady_clock::now() - begin_;
  VkPipelineCreationFeedback feedback{VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT, 0};
  if (cache_hit) feedback.flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
  feedback.duration = static_cast<uint64_t>(std::chrono::nanoseconds(duration).count());
  write_all(*output_, feedback);
}

}  // namespace spalt::icd
