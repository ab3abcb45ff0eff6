// SPDX-License-Identifier: MIT
//
// What a queue executes: the two generations of submit structs as one, with everything that they point to copied.
#pragma once

#include <functional>
#include <vector>

#include "icd/command/label_stack.h"
#include "icd/command/recording.h"
#include "icd/sync/sync_objects.h"

namespace spalt::icd {

struct SemaphoreOperation {
  Semaphore* semaphore;
  uint64_t value;  // of a timeline
};

struct Batch {
  std::vector<SemaphoreOperation> waits;
  std::vector<SubmittedCommands> commands;
  std::function<void()> host_work;  // after the commands, if there is some; must not throw
  std::vector<SemaphoreOperation> signals;
};

struct Submission {
  std::vector<Batch> batches;
  Fence* fence = nullptr;  // signaled at the end, if there is one
  LabelStack::Snapshot labels;
};

Submission make_submission(uint32_t count, const VkSubmitInfo* infos, VkFence fence);
Submission make_submission(uint32_t count, const VkSubmitInfo2* infos, VkFence fence);

}  // namespace spalt::icd
