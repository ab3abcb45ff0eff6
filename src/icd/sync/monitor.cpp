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
  const bool first = !lost_;
  lost_ = true;
  notify();
  return first;
}

void Monitor::close() {
  const Lock guard(mutex_);
  closed_ = true;
  notify();
}

}  // namespace spalt::icd
