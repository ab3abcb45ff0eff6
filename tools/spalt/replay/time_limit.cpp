// SPDX-License-Identifier: MIT
#include "replay/time_limit.h"

#include <atomic>

namespace spalt_tool::replay {

TimeLimit::TimeLimit(std::chrono::milliseconds limit, unsigned workers) : limit_(limit) {
  for (unsigned i = 0; i < workers; ++i) workers_.push_back(std::make_unique<Worker>());
}

const uint32_t* TimeLimit::begin(unsigned worker) {
  Worker& w = *workers_[worker];
  const std::lock_guard lock(w.mutex);
  std::atomic_ref<uint32_t>(w.cancel).store(0);
  w.busy = true;
  w.start = Clock::now();
  return &w.cancel;
}

void TimeLimit::end(unsigned worker) {
  Worker& w = *workers_[worker];
  const std::lock_guard lock(w.mutex);
  w.busy = false;
}

void TimeLimit::look() {
  if (limit_ == std::chrono::milliseconds(0)) return;
  const auto now = Clock::now();
  for (const auto& w : workers_) {
    const std::lock_guard lock(w->mutex);
    if (w->busy && now - w->start > limit_) std::atomic_ref<uint32_t>(w->cancel).store(1);
  }
}

void TimeLimit::cancel_all() {
  for (const auto& w : workers_) {
    const std::lock_guard lock(w->mutex);
    if (w->busy) std::atomic_ref<uint32_t>(w->cancel).store(1);
  }
}

}  // namespace spalt_tool::replay
