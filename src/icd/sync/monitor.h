// SPDX-License-Identifier: MIT
//
// The monitor of a device: one mutex and one condition variable for all of its fences, semaphores, events, queries and
// queues. A waiter evaluates its predicate again, under the lock, after each change of anything; so no wake-up can be
// lost, and waiting for any of several objects is one predicate. Nothing of the application's is called under the lock.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace spalt::icd {

/// The end of a wait in absolute time; none: it waits for ever.
class Deadline {
 public:
  /// `nanoseconds` from now; UINT64_MAX, and what the clock cannot hold, mean no deadline.
  static Deadline after(uint64_t nanoseconds);
  static Deadline never() { return {}; }
  std::optional<std::chrono::steady_clock::time_point> time;
};

class Monitor {
 public:
  using Lock = std::unique_lock<std::mutex>;

  Lock lock() { return Lock(mutex_); }
  /// Call with or without the lock after a change that a predicate may see; the change itself is made under the lock.
  void notify() { changed_.notify_all(); }

  /// Waits, with the lock, until `predicate()` or the device is lost or time is up. False: time is up. A predicate that
  /// holds already needs no time, whatever the deadline.
  template <typename Predicate>
  bool wait(Lock& lock, const Deadline& deadline, Predicate predicate) {
    const auto done = [&] { return predicate() || lost_; };
    if (deadline.time) return changed_.wait_until(lock, *deadline.time, done);
    changed_.wait(lock, done);
    return true;
  }

  /// With the lock: whether the device is lost. It stays so.
  bool lost() const { return lost_; }
  /// Loses the device and wakes everybody. False: it was lost already.
  bool lose();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool lost_ = false;
};

}  // namespace spalt::icd
