// SPDX-License-Identifier: MIT
#include "driver/pass_runner.h"

#include <cstring>

#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "ir/printer.h"
#include "ir/verifier.h"

namespace spalt::driver {

PassRunner::Timer::~Timer() {
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  const auto nanoseconds = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
  for (StageTime& account : runner_.output_.stages) {
    if (std::strcmp(account.stage, stage_) == 0) {
      account.nanoseconds += nanoseconds;
      return;
    }
  }
  runner_.output_.stages.push_back({stage_, nanoseconds});
}

bool PassRunner::wants_dump(const char* name) const {
  return options_.dump && (options_.dump_after == "all" || options_.dump_after == name);
}

bool PassRunner::check(const char* name, Result<void> verdict) {
  if (!verdict) {
    Error error = verdict.error();
    error.status = Status::internal_error;
    error.message = "after " + std::string(name) + ": " + error.message;
    fail(std::move(error));
    return false;
  }
  return after(name);
}

bool PassRunner::after(const char* name, const ir::Module& module) {
  if (wants_dump(name)) options_.dump(name, ir::print(module));
  return check(name, options_.verify ? ir::verify(module) : Result<void>());
}

bool PassRunner::after(const char* name, const mir::Function& function) {
  if (wants_dump(name)) options_.dump(name, mir::print(function));
  return check(name, options_.verify ? mir::verify(function) : Result<void>());
}

bool PassRunner::after(const char* name) {
  output_.stopped = options_.stop_after == name;
  return !output_.stopped;
}

}  // namespace spalt::driver
