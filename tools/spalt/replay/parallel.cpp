// SPDX-License-Identifier: MIT
#include "replay/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace spalt_tool::replay {
namespace {

/// The threads of one call.
class Crew {
 public:
  Crew(size_t count, const std::function<void(unsigned, size_t)>& work) : count_(count), work_(work) {}
  ~Crew() { join(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void start(unsigned jobs) {
    threads_.reserve(jobs);
    for (unsigned worker = 0; worker < jobs; ++worker) {
      {
        const std::lock_guard lock(mutex_);
        ++running_;
      }
      try {
        threads_.emplace_back([this, worker] { run(worker); });
      } catch (...) {
        ended();
        // Fewer threads do as well, but one there must be.
        if (worker == 0) throw;
        return;
      }
    }
  }
  /// Whether all threads have ended within the tenth of a second.
  bool wait() {
    std::unique_lock lock(mutex_);
    return all_ended_.wait_for(lock, std::chrono::milliseconds(100), [this] { return running_ == 0; });
  }
  void join() {
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }
  void stop() { next_ = count_; }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  void run(unsigned worker) {
    try {
      for (size_t index = next_++; index < count_; index = next_++) work_(worker, index);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!exception_) exception_ = std::current_exception();
      stop();
    }
    ended();
  }
  void ended() {
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) all_ended_.notify_all();
  }

  const size_t count_;
  const std::function<void(unsigned, size_t)>& work_;
  std::atomic<size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable all_ended_;
  unsigned running_ = 0;
  std::exception_ptr exception_;
  std::vector<std::thread> threads_;
};

}  // namespace

void run_parallel(size_t count, unsigned jobs, const std::function<void(unsigned, size_t)>& work,
                  const std::function<void()>& watch) {
  if (count == 0) return;
  if (jobs <= 1 && !watch) {
    for (size_t index = 0; index < count; ++index) work(0, index);
    return;
  }
  Crew crew(count, work);
  crew.start(static_cast<unsigned>(std::clamp<size_t>(count, 1, std::max(jobs, 1u))));
  try {
    while (!crew.wait()) {
      if (watch) watch();
    }
  } catch (...) {
    crew.stop();
    throw;
  }
  crew.join();
  crew.rethrow();
}

}  // namespace spalt_tool::replay
