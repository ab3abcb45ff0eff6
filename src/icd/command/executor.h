// SPDX-License-Identifier: MIT
//
// Executes command buffers, in order, for one queue, on the thread that calls. Each queue has one.
#pragma once

#include <memory>

#include "icd/command/command_buffer.h"
#include "spalt/device.hpp"

namespace spalt::icd {

class Executor {
 public:
  explicit Executor(Device& device);
  ~Executor();

  /// Executes everything that was recorded. False: a fault has lost the device (Device::lose was called).
  bool execute(const CommandBuffer& commands);
  /// Ends a submission: what the device still holds back is done and visible to the host. False: as above.
  bool finish();
  /// From another thread: what runs ends soon, and execute() returns false without losing the device.
  void cancel();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace spalt::icd
