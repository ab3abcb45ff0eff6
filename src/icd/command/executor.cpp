// SPDX-License-Identifier: MIT
#include "icd/command/executor.h"

#include "icd/command/execution.h"

namespace spalt::icd {

struct Executor::State {
  State(Device& device, const Dispatchable& queue) : execution(device, queue) {}
  Execution execution;
};

Executor::Executor(Device& device, const Dispatchable& queue) : state_(std::make_unique<State>(device, queue)) {}
Executor::~Executor() = default;

void Executor::set_queue_labels(LabelStack::Snapshot labels) {
  state_->execution.set_queue_labels(std::move(labels));
}

bool Executor::execute(const SubmittedCommands& commands) {
  return state_->execution.run(commands);
}

bool Executor::finish() {
  return state_->execution.finish();
}

void Executor::cancel() {
  state_->execution.cancel();
}

}  // namespace spalt::icd
