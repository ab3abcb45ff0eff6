// SPDX-License-Identifier: MIT
#include "icd/command/executor.h"

#include "icd/command/execution.h"

namespace spalt::icd {
struct Executor::State {
  explicit State(Device& device) : execution(device) {}
  Execution execution;
};

Executor::Executor(Device& device) : state_(std::make_unique<State>(device)) {}
Executor::~Executor() = default;

bool Executor::execute(const CommandBuffer& commands) {
  return state_->execution.run(commands);
}

bool Executor::finish() {
  return state_->execution.finish();
}

void Executor::cancel() {
  state_->execution.cancel();
}

}  // namespace spalt::icd
