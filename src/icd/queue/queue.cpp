// SPDX-License-Identifier: MIT
#include "icd/queue/queue.h"

#include <algorithm>
#include <system_error>

#include "icd/object/result.h"

namespace spalt::icd {

Queue::Queue(Device& device) : device_(&device), executor_(device, *this) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    throw VulkanError{VK_ERROR_INITIALIZATION_FAILED};
  }
}

Queue::~Queue() {
  thread_.join();
}

VkResult Queue::submit(Submission submission) {
  submission.labels = labels_.snapshot();
  Monitor& monitor = device_->monitor();
  const Monitor::Lock lock = monitor.lock();
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  pending_.push_back(std::move(submission));
  ++submitted_;
  monitor.notify();
  return VK_SUCCESS;
}

VkResult Queue::wait_idle() {
  Monitor& monitor = device_->monitor();
  Monitor::Lock lock = monitor.lock();
  monitor.wait(lock, Deadline::never(), [&, target = submitted_] { return completed_ >= target; });
  return monitor.lost() ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

void Queue::cancel() noexcept {
  executor_.cancel();
}

void Queue::run() {
  Monitor& monitor = device_->monitor();
  Monitor::Lock lock = monitor.lock();
  while (monitor.wait_at_work(lock, [&] { return !pending_.empty(); })) {
    Submission submission = std::move(pending_.front());
    pending_.pop_front();
    monitor.begin_work();
    lock.unlock();
    const bool goes_on = try_execute(submission);
    lock.lock();
    if (goes_on) {
      if (submission.fence != nullptr) submission.fence->signaled = true;
      ++completed_;
    }
    monitor.end_work();
  }
}

bool Queue::try_execute(Submission& submission) noexcept {
  try {
    return execute(submission);
  } catch (...) {
    lose_for_lack_of_memory();
    return false;
  }
}

void Queue::lose_for_lack_of_memory() noexcept {
  try {
    FaultReport report;
    report.text = "the host has no memory left to execute a submission";
    device_->lose(report);
  } catch (...) {
    Monitor& monitor = device_->monitor();
    const Monitor::Lock lock = monitor.lock();
    monitor.lose();
  }
}

bool Queue::execute(Submission& submission) {
  executor_.set_queue_labels(submission.labels);
  const bool executed =
      std::all_of(submission.batches.begin(), submission.batches.end(), [&](Batch& batch) { return execute(batch); });
  if (!executed || !executor_.finish()) return false;
  for (Batch& batch : submission.batches) batch.commands.clear();
  return true;
}

bool Queue::execute(Batch& batch) {
  // What is waited for may depend on what is before it, and may change memory.
  if (!batch.waits.empty() && !(executor_.finish() && wait_for(batch.waits))) return false;
  const bool executed = std::all_of(batch.commands.begin(), batch.commands.end(),
                                    [&](const SubmittedCommands& commands) { return executor_.execute(commands); });
  if (!executed) return false;
  if (batch.host_work) {
    if (!executor_.finish()) return false;
    batch.host_work();
  }
  if (batch.signals.empty()) return true;
  if (!executor_.finish()) return false;
  batch.commands.clear();
  Monitor& monitor = device_->monitor();
  const Monitor::Lock lock = monitor.lock();
  for (const SemaphoreOperation& signal : batch.signals) signal.semaphore->signal(signal.value);
  monitor.notify();
  return true;
}

bool Queue::wait_for(const std::vector<SemaphoreOperation>& waits) {
  Monitor& monitor = device_->monitor();
  Monitor::Lock lock = monitor.lock();
  const auto reached = [](const SemaphoreOperation& wait) { return wait.semaphore->reached(wait.value); };
  if (!monitor.wait_at_work(lock, [&] { return std::all_of(waits.begin(), waits.end(), reached); })) return false;
  for (const SemaphoreOperation& wait : waits) wait.semaphore->consume();
  return true;
}

}  // namespace spalt::icd
