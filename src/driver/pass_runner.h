// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>

#include "amdgpu/mir/function.h"
#include "base/result.h"
#include "driver/options.h"
#include "ir/module.h"

namespace spalt::driver {

/// What happens around every pass of the pipeline: its time goes to the stage's account, the result is dumped and
/// verified as the options say, and `stop_after` ends the compilation.
class PassRunner {
 public:
  PassRunner(const Options& options, Output& output) : options_(options), output_(output) {}

  /// Runs one step; the time counts for `stage`.
  template <class Step>
  decltype(auto) timed(const char* stage, Step&& step) {
    const Timer timer(*this, stage);
    return step();
  }

  /// After the pass `name`: dump, verify. False: stop here, either with an error (see error()) or because the options
  /// say so.
  bool after(const char* name, const ir::Module& module);
  bool after(const char* name, const mir::Function& function);
  /// The same for a stage whose result is not IR.
  bool after(const char* name);

  bool failed() const { return failed_; }
  void fail(Error error) {
    failed_ = true;
    error_ = std::move(error);
  }
  Error& error() { return error_; }

 private:
  class Timer {
   public:
    Timer(PassRunner& runner, const char* stage)
        : runner_(runner), stage_(stage), start_(std::chrono::steady_clock::now()) {}
    ~Timer();

   private:
    PassRunner& runner_;
    const char* stage_;
    std::chrono::steady_clock::time_point start_;
  };

  bool wants_dump(const char* name) const;
  bool check(const char* name, Result<void> verdict);

  const Options& options_;
  Output& output_;
  bool failed_ = false;
  Error error_;
};

}  // namespace spalt::driver
