// SPDX-License-Identifier: MIT
#include "icd/command/executor.h"

#include <cstdio>
#include <shared_mutex>
#include <string>

#include "icd/command/execution.h"

namespace spalt::icd {
namespace {

/// While shaders may print.
std::shared_lock<std::shared_mutex> running_lock(const Device& device) {
  PrintfLog* log = device.printf_log();
  return log == nullptr ? std::shared_lock<std::shared_mutex>() : std::shared_lock(log->running);
}

/// "file:line: text", as compilers write.
std::string message_text(const char* text, const char* file, uint32_t line) {
  if (line == 0) return text;
  const std::string place = *file == 0 ? "line " : std::string(file) + ":";
  return place + std::to_string(line) + ": " + text;
}

void print_messages(Device& device) {
  PrintfLog* log = device.printf_log();
  if (log == nullptr) return;
  log->print_when_idle([&](const char* text, const char* file, uint32_t line) {
    DebugMessage message;
    message.severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    message.id = "spalt-printf";
    message.text = message_text(text, file, line);
    if (device.settings().printf_on_stdout) std::printf("%s\n", message.text.c_str());
    device.send(message);
  });
}

}  // namespace

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
  const std::shared_lock running = running_lock(state_->execution.device());
  return state_->execution.run(commands);
}

bool Executor::finish() {
  Device& device = state_->execution.device();
  {
    const std::shared_lock running = running_lock(device);
    if (!state_->execution.finish()) return false;
  }
  print_messages(device);
  return true;
}

void Executor::cancel() {
  state_->execution.cancel();
}

}  // namespace spalt::icd
