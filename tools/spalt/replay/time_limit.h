// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace spalt_tool::replay {

/// Ends compilations that take too long: workers say when they begin and end, and one thread looks.
class TimeLimit {
 public:
  /// 0: no limit.
  TimeLimit(std::chrono::milliseconds limit, unsigned workers);
  /// The flag for spalt_compile_info::cancel, cleared.
  const uint32_t* begin(unsigned worker);
  void end(unsigned worker);
  /// Sets the flags of those that are over time.
  void look();
  /// Sets the flags of all that are busy.
  void cancel_all();

 private:
  using Clock = std::chrono::steady_clock;
  /// Under one lock, so that a look never sets the flag of the compilation after the late one.
  struct Worker {
    std::mutex mutex;
    uint32_t cancel = 0;
    bool busy = false;
    Clock::time_point start;
  };
  std::chrono::milliseconds limit_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace spalt_tool::replay
