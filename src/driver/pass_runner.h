// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <chrono>
#include <type_traits>

#include "amdgpu/mir/function.h"
#include "base/compile_context.h"
#include "base/result.h"
#include "driver/options.h"
#include "driver/passes.h"
#include "ir/module.h"

namespace spalt::driver {

/// Adds the time of its life to an account. Takes no memory.
class Stopwatch {
 public:
  explicit Stopwatch(uint64_t& account) : account_(account), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    account_ += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  uint64_t& account_;
  std::chrono::steady_clock::time_point start_;
};

/// What happens around every pass of the pipeline: its time goes to its account, the result is dumped and verified as
/// the options say, and stop_after, a failure or a cancellation ends the compilation.
class PassRunner {
 public:
  PassRunner(const Options& options, Diagnostics& said, CompileContext& memory)
      : diagnostics(said), context(memory), options_(options) {}

  /// Runs one pass on a module or a machine function: `pass()` changes `unit` and returns nothing, anything that does
  /// not matter here, or a Result<void>. False: the compilation ends here.
  template <class Unit, class Step>
  bool run(Pass pass, const Unit& unit, Step&& step) {
    if (cancelled()) return false;
    using Returned = std::invoke_result_t<Step>;
    if constexpr (std::is_same_v<Returned, Result<void>>) {
      const Result<void> done = timed(account_of(pass), step);
      if (!done) return fail(done.error());
    } else {
      timed(account_of(pass), step);
    }
    return after(pass, unit);
  }
  /// Runs a step that has a result of its own; `after` follows when that result is in its place.
  template <class Step>
  decltype(auto) timed(Account account, Step&& step) {
    const Stopwatch watch(times_[static_cast<size_t>(account)]);
    return step();
  }

  /// What does not end the compilation by itself.
  Diagnostics& diagnostics;
  /// The memory of the compilation.
  CompileContext& context;

  /// After a pass: dump, verify. False: the compilation ends here.
  bool after(Pass pass, const ir::Module& module);
  bool after(Pass pass, const mir::Function& function);
  /// The same where the result is neither.
  bool after(Pass pass);

  /// Always false.
  bool fail(Error error);
  bool failed() const { return failed_; }
  const Error& error() const { return error_; }
  bool stopped() const { return stopped_; }
  /// Nanoseconds by Account.
  const StageTimes& times() const { return times_; }

 private:
  bool cancelled();
  bool wants_dump(Pass pass) const;
  bool check(Pass pass, Result<void> verdict);

  const Options& options_;
  StageTimes times_{};
  bool stopped_ = false;
  bool failed_ = false;
  Error error_;
};

}  // namespace spalt::driver
