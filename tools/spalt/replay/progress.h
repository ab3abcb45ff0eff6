// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>

#include "replay/problem.h"

namespace spalt_tool::replay {

/// Says on stderr how far a run is: on a terminal a line that is rewritten, elsewhere a line every half minute.
class Progress {
 public:
  enum class Mode { off, terminal, log };
  /// What suits the stderr of this process.
  static Mode automatic();

  explicit Progress(Mode mode) : mode_(mode) {}
  void start(size_t count);
  /// One more pipeline is done. May be called by several threads.
  void done(Cause cause);
  /// Prints if it is time to. Called by one thread.
  void tick();
  /// Removes what stands on a terminal.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void print(double seconds);

  Mode mode_;
  Clock::time_point start_, printed_;
  bool on_screen_ = false;
  size_t count_ = 0;
  std::atomic<size_t> done_{0}, unsupported_{0}, failed_{0};
};

}  // namespace spalt_tool::replay
