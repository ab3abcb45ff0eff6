// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <chrono>
#include <optional>
#include <type_traits>

#include "amdgpu/mir/function.h"
#include "analysis/analysis_cache.h"
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

/// Charges time to one account after the other. Reads the clock only if that is wanted, and where the account changes:
/// it takes as long as a pass over a small program, and most passes follow one of their own account.
class AccountClock {
 public:
  explicit AccountClock(bool wanted) : wanted_(wanted) {}

  void charge(Account account) {
    if (!wanted_ || (running_ && account == account_)) return;
    change(true);
    account_ = account;
  }
  void stop() {
    if (running_) change(false);
  }
  /// Nanoseconds by Account, up to the last change.
  const StageTimes& times() const { return times_; }

 private:
  void change(bool running) {
    const auto now = std::chrono::steady_clock::now();
    if (running_) {
      const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - since_);
      times_[static_cast<size_t>(account_)] += static_cast<uint64_t>(elapsed.count());
    }
    since_ = now;
    running_ = running;
  }

  const bool wanted_;
  StageTimes times_{};
  std::chrono::steady_clock::time_point since_;
  Account account_ = Account::spirv;
  bool running_ = false;
};

/// What happens around every pass of the pipeline: its time goes to its account, the result is dumped and verified as
/// the options say, and stop_after or a failure ends the compilation.
class PassRunner {
 public:
  PassRunner(const Options& options, Diagnostics& said, CompileContext& memory)
      : diagnostics(said),
        context(memory),
        options_(options),
        watched_(options.verify || options.watch || options.dump),
        clock_(options.want_part_times) {}

  /// Runs one pass, if the tier has it, on a module or a machine function: `pass()` changes `unit` and returns nothing,
  /// anything that does not matter here, or a Result<void>. False: the compilation ends here.
  template <class Unit, class Step>
  bool run(Pass pass, const Unit& unit, Step&& step) {
    if (!begin(pass)) return after(pass, unit);
    using Returned = std::invoke_result_t<Step>;
    if constexpr (std::is_same_v<Returned, Result<void>>) {
      const Result<void> done = step();
      if (!done) return fail(done.error());
    } else {
      step();
    }
    return after(pass, unit);
  }
  /// Runs a step that has a result of its own; `after` follows when that result is in its place.
  template <class Step>
  decltype(auto) timed(Account account, Step&& step) {
    clock_.charge(account);
    return step();
  }
  /// What follows up to the next pass is part of that account. Where nobody says so, it is part of that of the pass
  /// before.
  void charge(Account account) { clock_.charge(account); }

  /// What does not end the compilation by itself.
  Diagnostics& diagnostics;
  /// The memory of the compilation.
  CompileContext& context;
  /// What is kept of the module's entry point while passes work on it; verified after each of them.
  std::optional<analysis::AnalysisCache> analyses;

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
  /// Nanoseconds by Account, without verifiers and dumps, if they are wanted. At the end.
  const StageTimes& times() {
    clock_.stop();
    return clock_.times();
  }

 private:
  /// What happens before each pass, in one place since the code around some seventy passes adds up. Whether the tier
  /// has it.
  bool begin(Pass pass);
  bool wants_dump(Pass pass) const;
  bool check(Pass pass, Result<void> verdict);

  const Options& options_;
  const bool watched_;  ///< something happens to the results of passes
  AccountClock clock_;
  bool stopped_ = false;
  bool failed_ = false;
  Error error_;
};

}  // namespace spalt::driver
