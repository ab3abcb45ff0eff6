// SPDX-License-Identifier: MIT
#include "icd/queue/submission.h"

#include "icd/command/command_buffer.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

SubmittedCommands submitted(VkCommandBuffer handle) {
  const auto& commands = from_handle<CommandBuffer>(handle);
  const std::lock_guard guard(commands.device().names_mutex);
  return {commands.recorded(), handle, commands.object.debug_name};
}

Batch make_batch(const VkSubmitInfo& info) {
  const auto* values =
      find_in_chain<VkTimelineSemaphoreSubmitInfo>(info.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  const auto value_of = [](uint32_t count, const uint64_t* array, uint32_t i) { return i < count ? array[i] : 0; };
  Batch batch;
  for (uint32_t i = 0; i < info.waitSemaphoreCount; ++i) {
    const uint64_t value =
        values == nullptr ? 0 : value_of(values->waitSemaphoreValueCount, values->pWaitSemaphoreValues, i);
    batch.waits.push_back({from_nullable<Semaphore>(info.pWaitSemaphores[i]), value});
  }
  for (uint32_t i = 0; i < info.commandBufferCount; ++i) {
    batch.commands.push_back(submitted(info.pCommandBuffers[i]));
  }
  for (uint32_t i = 0; i < info.signalSemaphoreCount; ++i) {
    const uint64_t value =
        values == nullptr ? 0 : value_of(values->signalSemaphoreValueCount, values->pSignalSemaphoreValues, i);
    batch.signals.push_back({from_nullable<Semaphore>(info.pSignalSemaphores[i]), value});
  }
  return batch;
}

std::vector<SemaphoreOperation> operations_of(uint32_t count, const VkSemaphoreSubmitInfo* infos) {
  std::vector<SemaphoreOperation> operations;
  for (uint32_t i = 0; i < count; ++i) {
    operations.push_back({from_nullable<Semaphore>(infos[i].semaphore), infos[i].value});
  }
  return operations;
}

Batch make_batch(const VkSubmitInfo2& info) {
  Batch batch;
  batch.waits = operations_of(info.waitSemaphoreInfoCount, info.pWaitSemaphoreInfos);
  for (uint32_t i = 0; i < info.commandBufferInfoCount; ++i) {
    batch.commands.push_back(submitted(info.pCommandBufferInfos[i].commandBuffer));
  }
  batch.signals = operations_of(info.signalSemaphoreInfoCount, info.pSignalSemaphoreInfos);
  return batch;
}

template <typename Info>
Submission make(uint32_t count, const Info* infos, VkFence fence) {
  Submission submission;
  submission.fence = from_nullable<Fence>(fence);
  for (uint32_t i = 0; i < count; ++i) submission.batches.push_back(make_batch(infos[i]));
  return submission;
}

}  // namespace

Submission make_submission(uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  return make(count, infos, fence);
}

Submission make_submission(uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
  return make(count, infos, fence);
}

}  // namespace spalt::icd
