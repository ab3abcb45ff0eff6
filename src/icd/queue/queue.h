// SPDX-License-Identifier: MIT
//
// A queue and its thread, which executes submissions in order: for each batch it waits for the semaphores, runs the
// command buffers and signals. Queues wait for each other only in this way, so that a wait may be submitted before its
// signal. All state is under the monitor of the device.
#pragma once

#include <deque>
#include <thread>

#include "icd/command/executor.h"
#include "icd/device/device.h"
#include "icd/queue/submission.h"

namespace spalt::icd {

class Queue : public Dispatchable {
 public:
  using Handle = VkQueue;

  /// Starts the thread. Throws VulkanError when the host has none.
  explicit Queue(Device& device);
  /// Waits for the thread, which ends once the monitor is closed and what runs is cancelled.
  ~Queue();

  Device& device() const { return *device_; }
  /// As vkQueueSubmit, they want one thread at a time.
  LabelStack& labels() { return labels_; }
  /// VK_ERROR_DEVICE_LOST: nothing was submitted.
  VkResult submit(Submission submission);
  VkResult wait_idle();
  void cancel() noexcept;

  /// With the monitor's lock: how many submissions there were, and how many of them are done.
  uint64_t submitted() const { return submitted_; }
  uint64_t completed() const { return completed_; }

 private:
  void run();
  /// False: the device ends, or is lost because the host has no memory.
  bool try_execute(Submission& submission) noexcept;
  void lose_for_lack_of_memory() noexcept;
  /// False: the device ends.
  bool execute(Submission& submission);
  /// Gives up what it has executed before it signals, since the application may record again from then on.
  bool execute(Batch& batch);
  bool wait_for(const std::vector<SemaphoreOperation>& waits);

  Device* device_;
  Executor executor_;
  LabelStack labels_;
  std::deque<Submission> pending_;
  uint64_t submitted_ = 0;
  uint64_t completed_ = 0;
  std::thread thread_;
};

}  // namespace spalt::icd
