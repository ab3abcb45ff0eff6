// SPDX-License-Identifier: MIT
//
// The monitor of a device: one mutex and one condition variable for all of its fences, semaphores, events, queries and
// queues. A waiter evaluates its predicate again, under the lock, after each change of anything; so no wake-up can be
// lost, and waiting for any of several objects is one predicate. Nothing of the application's is called under the lock.
//
// How a device ends: lose() and close() end what queues do, and wait(), the wait of a queue's thread. The application
// is told of a loss only when no queue works any more, because it may then destroy what they used.
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

  /// Waits for the application, with the lock, until `predicate()` or the device is lost or time is up. False: time is
  /// up. A predicate that holds already needs no time, whatever the deadline.
  template <typename Predicate>
  bool wait(Lock& lock, const Deadline& deadline, Predicate predicate) {
    const auto done = [&] { return predicate() || lost(); };
    if (deadline.time) return changed_.wait_until(lock, *deadline.time, done);
    changed_.wait(lock, done);
    return true;
  }

  /// Waits on the thread of a queue, with the lock, until `predicate()` or the device ends. False: it ends.
  template <typename Predicate>
  bool wait_at_work(Lock& lock, Predicate predicate) {
    changed_.wait(lock, [&] { return ending() || predicate(); });
    return !ending();
  }

  /// With the lock: the thread of a queue begins to work, and is done.
  void begin_work() { ++working_; }
  void end_work() {
    --working_;
    notify();
  }

  /// With the lock: whether the device is lost and nothing uses the application's objects any more. It stays so.
  bool lost() const { return lost_ && working_ == 0; }
  /// With the lock: the device is lost or destroyed, and work in progress is given up.
  bool ending() const { return lost_ || closed_; }
  /// With the lock: loses the device and wakes everybody. False: it was lost already.
  bool lose();
  /// The device is being destroyed: wakes the threads of its queues.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint32_t working_ = 0;
  bool lost_ = false;
  bool closed_ = false;
};

}  // namespace spalt::icd
