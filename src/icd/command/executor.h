// SPDX-License-Identifier: MIT
//
// Executes command buffers, in order, for one queue, on the thread that calls. Each queue has one.
#pragma once

#include <memory>

#include "icd/command/command_buffer.h"
#include "icd/command/label_stack.h"
#include "spalt/device.hpp"

namespace spalt::icd {

class Executor {
 public:
  /// `queue` is for messages.
  Executor(Device& device, const Dispatchable& queue);
  ~Executor();

  /// Labels of the queue, for messages about what is executed from now on.
  void set_queue_labels(LabelStack::Snapshot labels);
  /// Executes everything that was recorded, which must live until the next finish(). False: a fault has lost the device
  /// (Device::lose was called). Throws std::bad_alloc.
  bool execute(const SubmittedCommands& commands);
  /// Ends a submission, before anything is signaled: what the device still holds back is done and visible to the host
  /// and to other queues. False: as above.
  bool finish();
  /// From another thread: what runs ends soon, and execute() returns false without losing the device.
  void cancel();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace spalt::icd
