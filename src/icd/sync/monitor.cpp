// SPDX-License-Identifier: MIT
#include "icd/sync/monitor.h"

namespace spalt::icd {

Deadline Deadline::after(uint64_t nanoseconds) {
  using Clock = std::chrono::steady_clock;
  const auto now = Clock::now();
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::time_point::max() - now);
  if (nanoseconds >= static_cast<uint64_t>(left.count())) return {};
  return {now + std::chrono::nanoseconds(nanoseconds)};
}

bool Monitor::lose() {
  const Lock guard(mutex_);
  const bool first = !lost_;
  lost_ = true;
  changed_.notify_all();
  return first;
}

}  // namespace spalt::icd
